import { afterEach, expect, it, jest } from '@jest/globals';
import { ScheduledClock } from '@screen-advertising/server-kit';
import { Pool } from 'pg';
import { createLog, logObserver } from '../../../packages/relay/src/operate/log.ts';
import { followDatabaseClock } from '../../../packages/relay/src/run/create-relay.ts';
import { freshDatabase, onDatabase, start } from '../support/running-relay.ts';

const minute = 60_000;

afterEach(() => {
  jest.useRealTimers();
});

/** A relay on a machine whose clock is this far ahead: what it logs and shows, and its own idea of the time. */
async function followed(aheadMs: number) {
  const lines: string[] = [];
  const { now } = Date;
  const machine = jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  const log = createLog('warn', (line) => lines.push(line));
  const { relay, url, databaseUrl } = await start({ clock: 'running', log });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  machine.mockRestore();
  const text = 'SELECT clock_timestamp() AS now';
  const { rows } = await onDatabase(databaseUrl, (client) => client.query(text));
  const offset = Number(/^relay_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]);
  return { difference: relay.clock.now() - rows[0].now.getTime(), offset, lines };
}

it.each([
  [
    -40 * 24 * 60,
    "This machine's clock is 3456000 s behind the database's. The relay uses the database's clock. Check which one is wrong, and set it.",
  ],
  [
    2,
    "This machine's clock is 120 s ahead of the database's. The relay uses the database's clock. Check which one is wrong, and set it.",
  ],
  [0.5, undefined],
])(
  "a process whose clock is %d minutes ahead uses the database's, and says so",
  async (ahead, text) => {
    const { difference, offset, lines } = await followed(ahead * minute);
    expect(Math.abs(difference)).toBeLessThan(minute / 4);
    expect(Math.abs(offset - ahead * 60)).toBeLessThan(15);
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      text === undefined
        ? []
        : [expect.objectContaining({ level: 'warn', msg: text, offset_s: ahead * 60 })],
    );
  },
);

it('a reading that fails is reported, and ends nothing', async () => {
  const pool = new Pool({ connectionString: await freshDatabase() });
  const observer = logObserver(createLog('silent', () => undefined));
  const reported = Promise.withResolvers<unknown>();
  jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'setTimeout', 'nextTick'] });
  const clock = new ScheduledClock();
  const leave = await followDatabaseClock({ pool, clock, observer, report: reported.resolve });
  await pool.end();
  jest.advanceTimersByTime(10 * minute);
  leave();
  expect(await reported.promise).toMatchObject({
    message: 'Cannot use a pool after calling end on the pool',
  });
});
