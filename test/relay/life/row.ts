import { beforeAll, beforeEach } from '@jest/globals';
import { rawResponse, startActor } from '../support/actor.ts';
import { onDatabase, ownSource, type Running, start } from '../support/running-relay.ts';

type Row = Awaited<ReturnType<typeof openRow>>;

/** For each test of a file another one, of the same relay. */
export function useRow(): Row {
  const row = {} as Row;
  let shared: Running;
  beforeAll(async () => {
    shared = await start();
  });
  beforeEach(async () => {
    Object.assign(row, await openRow(shared));
  });
  return row;
}

/** A source that no other test uses, with a target for one subscription, and what is asked for it. */
async function openRow(shared: Running) {
  const running = await ownSource(shared);
  const actor = await startActor();
  /** Without waiting for what it causes. */
  const ask = (body: object = {}, token = running.key.token) => {
    const input = { target_url: actor.url, events: ['campaign.paid'], ...body };
    return running.call('PUT', '/subscriptions', input, token);
  };
  return {
    running,
    actor,
    ask,
    async put(body: object = {}, token?: string) {
      const response = await ask(body, token);
      await running.relay.clock.advance(1);
      return response.body;
    },
    end: (id: string) => running.call('DELETE', `/subscriptions/${id}`),
    get: async (id: string) => (await running.call('GET', `/subscriptions/${id}`)).body,
    async deliver(id: string, type = 'campaign.paid'): Promise<void> {
      await running.deliver({ id, type, data: {} });
      await running.relay.clock.advance(1);
    },
    /** Advances the clock until an attempt runs, which gets this response once the result is called. */
    async attempt(status: number, ms = 0): Promise<() => Promise<void>> {
      const arrival = new Promise<() => void>((resolve) => {
        actor.answers.push((socket) => resolve(() => socket.write(rawResponse(status))));
      });
      const advancing = running.relay.clock.advance(ms);
      const respond = await arrival;
      return async () => {
        respond();
        await advancing;
      };
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
