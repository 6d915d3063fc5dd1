import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { systemClock } from '@screen-advertising/core/platform';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';
import { eventually } from '../support/eventually.ts';
import { callTool } from './support/call.ts';
import { connect } from './support/connect.ts';
import { callList } from './support/lists.ts';

const period = { from: '2027-03-01', to: '2027-03-31' };
const tool = 'find_available_screens';

/** A service with five screens; it responds about the first `read` of them, and then never. */
async function fallingSilent(read: number) {
  let asked = 0;
  const server = createServer(({ url = '' }, response) => {
    if (url.includes('availability')) asked += 1;
    if (asked > read && !url.endsWith('/screens/other')) return;
    if (read === 0) return;
    const data = Array.from({ length: 5 }, (_, index) => ({ id: `s${index}`, name: 'A' }));
    const body = url.includes('availability')
      ? { available_sov_pct: 40, price_per_day_cents: 100 }
      : { data, pagination: { has_more: false } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { port, close } = await listen(server);
  closeAfterTest(() => {
    server.closeAllConnections();
    return close();
  });
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, asked: () => asked };
}

/** The clock of this machine, on which the test says when a search must end. */
function clockOf() {
  const over = Promise.withResolvers<void>();
  const sleep: typeof systemClock.sleep = (ms, signal) =>
    ms === 45_000 ? over.promise : systemClock.sleep(ms, signal);
  return { clock: { ...systemClock, sleep }, over: over.resolve };
}

it('a search whose time is over returns what it has read, and says so', async () => {
  const { baseUrl, asked } = await fallingSilent(3);
  const { clock, over } = clockOf();
  const client = await connect(environment(baseUrl, { apiKey: 'svc_key' }), { clock });
  const found = callTool(client, tool, period);
  await eventually(() => asked() === 5, 'all five are asked for');
  // Its response arrives after those of the search.
  await callTool(client, 'get_screen', { screen_id: 'other' });
  over();
  const { record, isError } = await found;
  expect(isError).toBe(false);
  expect(record).toEqual({
    columns: ['screen_id', 'name', 'available_sov_pct', 'total_price_cents'],
    rows: [
      ['s0', 'A', 40, 3100],
      ['s1', 'A', 40, 3100],
      ['s2', 'A', 40, 3100],
    ],
    has_more: false,
    note: 'Only 3 screens were read. The time was over. Others may fit as well: narrow the search by city, country or radius_km, or search again later.',
  });
});

it('a search whose time is over before it has read anything is an error', async () => {
  const { baseUrl } = await fallingSilent(0);
  const { clock, over } = clockOf();
  const client = await connect(environment(baseUrl, { apiKey: 'svc_key' }), { clock });
  const found = callTool(client, tool, period);
  over();
  expect(await found).toMatchObject({
    isError: true,
    text: 'Find Available Screens has read nothing within 45 s. Narrow it, or retry later. Retrying later with the same arguments is safe.',
  });
});

it('four searches side by side that together reach the rate limit all return at once', async () => {
  const { baseUrl, full } = await start({ screens: 80 });
  const env = { ...environment(baseUrl, full), SCREEN_ADVERTISING_RATE_LIMIT: '120' };
  const client = await connect(env);
  const lists = await Promise.all(
    [{}, { min_available_sov_pct: 1 }, { budget_cents: 99_999_999 }, { country: 'DE' }].map(
      (more) => callList(client, tool, { ...period, ...more }),
    ),
  );
  for (const { rows } of lists) expect(rows.length).toBeGreaterThan(0);
  const ended = lists.filter(({ note }) => note?.startsWith('Only'));
  expect(ended.length).toBeGreaterThan(1);
  for (const { note, has_more, total_count } of ended) {
    expect({ has_more, total_count }).toEqual({ has_more: false, total_count: undefined });
    expect(note).toMatch(
      /^Only \d+ screens were read\. Rate limit reached\. Retry in (60|5\d) s\. Others may fit as well: /,
    );
  }
  const next = await callTool(client, tool, period);
  expect(next).toMatchObject({
    isError: true,
    text: expect.stringMatching(
      /^Rate limit reached\. Retry in (60|5\d) s\. Retrying later with the same arguments is safe\.$/,
    ),
  });
});

it('a client that asks for progress hears how many screens were read, once a second', async () => {
  const { baseUrl, full } = await start({ screens: 20 });
  let now = 0;
  const clock = {
    ...systemClock,
    now: () => {
      now += 20;
      return now;
    },
  };
  const client = await connect(environment(baseUrl, full), { clock });
  const heard: unknown[] = [];
  const listen = { onprogress: (one: unknown) => void heard.push(one) };
  await client.callTool({ name: tool, arguments: period }, listen);
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.length).toBeLessThan(20);
  for (const one of heard) {
    expect(one).toMatchObject({ message: expect.stringMatching(/^\d+ screens read$/) });
  }
});
