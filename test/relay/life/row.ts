import { startActor } from '../support/actor.ts';
import { onDatabase } from '../support/database.ts';
import { ownSource, type Running } from '../support/running-relay.ts';

export type Row = Awaited<ReturnType<typeof openRow>>;

/** A source that no other test uses, with a target for one subscription, and what is asked for it. */
export async function openRow(shared: Running) {
  const running = await ownSource(shared);
  const actor = await startActor();
  return {
    running,
    actor,
    async put(body: object = {}, token = running.key.token) {
      const input = { target_url: actor.url, events: ['campaign.paid'], ...body };
      const response = await running.call('PUT', '/subscriptions', input, token);
      await running.relay.clock.advance(1);
      return response.body;
    },
    end: (id: string) => running.call('DELETE', `/subscriptions/${id}`),
    get: async (id: string) => (await running.call('GET', `/subscriptions/${id}`)).body,
    async deliver(id: string, type = 'campaign.paid'): Promise<void> {
      await running.deliver({ id, type, data: {} });
      await running.relay.clock.advance(1);
    },
    /** The events that arrived at the target, in order. */
    arrived: () => actor.requests.map((request) => /"id":"(\w+)"/.exec(request)?.[1]),
    leaseOf: () =>
      onDatabase(running.databaseUrl, async (client) => {
        const { rows } = await client.query(
          `SELECT failures_in_a_row AS failures, paused_until IS NOT NULL AS is_paused,
            failing_since IS NOT NULL AS is_failing
          FROM lease ORDER BY subscription_number DESC LIMIT 1`,
        );
        return rows[0];
      }),
  };
}
