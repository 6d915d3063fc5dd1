import { describe, expect, it } from '@jest/globals';
import { onDatabase } from '../support/database.ts';
import { type Running, start } from '../support/running-relay.ts';

const day = 24 * 3_600_000;
const event = { id: '1', type: 'campaign.paid', data: {} };

const generationsOf = ({ databaseUrl }: Running) =>
  onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT to_char(started_at AT TIME ZONE 'UTC', 'MM-DD') AS day FROM key_generation ORDER BY started_at",
    );
    return rows.map((row) => row.day);
  });

const tablesOf = ({ databaseUrl }: Running) =>
  onDatabase(databaseUrl, async (client) => {
    const text = "SELECT FROM pg_class WHERE relname ~ '^event_key_[0-9]+$'";
    return (await client.query(text)).rowCount;
  });

describe('the keys that detect duplicates', () => {
  it('are found in each generation, and dropped after all of their events', async () => {
    const running = await start();
    expect((await running.deliver(event)).body).toEqual({ stored: true });
    const days = [];
    for (let nth = 0; nth < 41; nth += 1) {
      await running.relay.clock.advance(day);
      days.push((await running.deliver(event)).body.stored);
    }
    // The generation of March 1 ended on March 11, so it is dropped on April 10.
    expect(days.indexOf(true)).toBe(40);
    expect(await generationsOf(running)).toEqual(['03-11', '03-21', '03-31', '04-10']);
    expect(await tablesOf(running)).toBe(4);
  });

  it('go with events that are pruned one by one', async () => {
    const running = await start();
    await running.deliver(event);
    await running.relay.clock.advance(2 * 3_600_000);
    expect(await running.relay.prune(3_600_000)).toMatchObject({ events: 1 });
    expect((await running.deliver(event)).body).toEqual({ stored: true });
  });

  it('start one generation, although two processes do', async () => {
    const first = await start();
    const second = await start({ databaseUrl: first.databaseUrl });
    for (const { relay } of [first, second]) await relay.clock.advance(11 * day);
    await Promise.all([first, second].map(({ relay }) => relay.listen()));
    expect(await generationsOf(first)).toEqual(['03-01', '03-12']);
    expect((await second.deliver(event)).body).toEqual({ stored: true });
    expect((await first.deliver(event)).body).toEqual({ stored: false });
  });
});
