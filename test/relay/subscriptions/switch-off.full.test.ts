import { beforeEach, describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { onDatabase } from '../support/database.ts';
import { type Running, secretKey, start } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const type = 'campaign.paid';
const stored = 2_500;
const largestBatch = 1_000;
/** The events are stored at the time of this machine. */
const startAt = Date.now();

let running: Running;
let id: string;

beforeEach(async () => {
  running = await start({ role: 'ingress', startAt });
  const body = { target_url: 'https://hooks.example.com/1', events: [type] };
  ({ id } = (await running.call('PUT', '/subscriptions', body)).body);
  await onDatabase(running.databaseUrl, (client) =>
    storeEvents(client, { count: stored, type, state: 'pending' }),
  );
});

/** Deliveries by state and reason, and the largest number that one transaction wrote. */
const states = () =>
  onDatabase(running.databaseUrl, async (client) => {
    const { rows } = await client.query(`
      SELECT state, reason, sum(number)::integer AS number, max(number)::integer AS largest FROM (
        SELECT state, reason, count(*) AS number FROM delivery GROUP BY state, reason, xmin::text
      ) AS written GROUP BY state, reason`);
    return rows;
  });

/** As a command does it: a process that has no time for what is left to do. */
async function byCommand(
  work: (relay: Awaited<ReturnType<typeof createRelay>>) => Promise<unknown>,
): Promise<void> {
  const { databaseUrl } = running;
  const relay = await createRelay({ databaseUrl, secretKey, clock: 'frozen', startAt });
  try {
    await work(relay);
  } finally {
    await relay.close();
  }
}

describe('a subscription with a large backlog', () => {
  it.each([
    ['is switched off', 'by_hand', (relay) => relay.subscriptions.off(id)],
    [
      'loses its token',
      'token_revoked',
      async (relay) => {
        const [token] = await relay.tokens.list();
        await relay.tokens.revoke('main', token?.name ?? '');
      },
    ],
  ] as const satisfies [string, string, (relay: Running['relay']) => Promise<unknown>][])(
    '%s before its deliveries are touched, and they die in batches',
    async (_what, reason, switchOff) => {
      await byCommand(switchOff);
      expect(await states()).toMatchObject([{ state: 'pending', number: stored }]);
      await running.deliver({ id: 'later', type });
      const sender = await start({ role: 'sender', databaseUrl: running.databaseUrl, startAt });
      await sender.relay.clock.advance(0);
      const [dead, ...others] = await states();
      expect(dead).toEqual({
        state: 'dead',
        reason: `subscription_off: ${reason}`,
        number: stored,
        largest: largestBatch,
      });
      expect(others).toEqual([]);
    },
  );

  it('is deleted the same way, by the process that served the request', async () => {
    expect((await running.call('DELETE', `/subscriptions/${id}`)).status).toBe(204);
    await running.relay.clock.advance(0);
    expect(await states()).toEqual([
      {
        state: 'dead',
        reason: 'subscription_off: deleted',
        number: stored,
        largest: largestBatch,
      },
    ]);
  });
});

it('revoking a token switches off one batch of its subscriptions, and the maintenance the others', async () => {
  await onDatabase(running.databaseUrl, (client) =>
    client.query(`INSERT INTO subscription
        (id, source_number, token_number, target_url, events, created_at)
      SELECT uuidv7(), 1, 1, 'https://hooks.example.com/' || nth, '{}', now()
      FROM generate_series(1, 2500) AS nth`),
  );
  const counts = () =>
    onDatabase(running.databaseUrl, async (client) => {
      const { rows } = await client.query(`SELECT off_reason, count(*)::integer AS number
        FROM subscription GROUP BY off_reason ORDER BY off_reason`);
      return rows;
    });
  await byCommand(async (relay) => {
    const [token] = await relay.tokens.list();
    await relay.tokens.revoke('main', token?.name ?? '');
  });
  expect(await counts()).toEqual([
    { off_reason: 'token_revoked', number: largestBatch },
    { off_reason: null, number: 2501 - largestBatch },
  ]);
  await running.relay.clock.advance(0);
  expect(await counts()).toEqual([{ off_reason: 'token_revoked', number: 2501 }]);
});
