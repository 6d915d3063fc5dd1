import { expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { accepted, rawResponse, startActor } from '../support/actor.ts';
import { start, startAt } from '../support/running-relay.ts';
import { deliveriesOf, deliverTo, hour, schedule, secondsOf } from './scene.ts';

const [, first = 0] = schedule;
const day = 86_400;
const inSeconds = (seconds: number) => new Date(Date.parse(startAt) + seconds * 1000);
const imfDate = (seconds: number) => inSeconds(seconds).toUTCString();

/** Each format of Retry-After, and the seconds until the next attempt. */
const retryAfter: [value: string, seconds: number][] = [
  ['120', 120],
  ['  120 ', 120],
  ['86401', day],
  ['99999999999999999999', day],
  ['120\r\nretry-after: 60', 120],
  ['soon\r\nretry-after: 60', 60],
  [imfDate(90), 90],
  [imfDate(3 * day), day],
  ['Monday, 01-Mar-27 09:01:30 GMT', 90],
  ['Mon Mar  1 09:01:30 2027', 90],
  ...['0', '2', imfDate(-90), '2027-03-01T09:01:30Z', 'Mon, 99 Nov 2027 99:99:99 GMT', '-3']
    .concat('+120', '1.5', '1e3', '0x78', '120, 60', '120s', '')
    .map((value): [string, number] => [value, first]),
];

/**
 * The response to the first attempt, and when the attempts are made, in seconds. The next one is accepted.
 * Broken responses are in test/relay/outbound/post.test.ts.
 */
type Row = [status: number, headers: Record<string, string>, at: readonly number[]];

const rows: Row[] = [
  ...[200, 201, 204, 299].map((status): Row => [status, {}, [0]]),
  [200, { 'retry-after': '3600' }, [0]],
  ...[300, 301, 302, 303, 307, 308].map(
    (status): Row => [status, { location: 'TARGET' }, [0, first]],
  ),
  ...[400, 401, 404, 408, 429, 499, 500, 503, 599, 600, 999].map(
    (status): Row => [status, {}, [0, first]],
  ),
  [410, {}, [0]],
  ...[429, 503].flatMap((status) =>
    retryAfter.map(([value, seconds]): Row => [status, { 'retry-after': value }, [0, seconds]]),
  ),
  // A redirect or another failure with Retry-After is delayed as well.
  [500, { 'retry-after': '120' }, [0, 120]],
  [302, { 'retry-after': '120' }, [0, 120]],
];

it(`each of ${rows.length} responses leads to its attempts, times and final state`, async () => {
  // None of these is about the limit of time, which a busy machine may reach.
  const running = await start({ random: () => 0, deliveryTimeoutMs: 120_000 });
  const redirected = await startActor();
  const nameOf = ([status, headers]: Row) => `${status} ${JSON.stringify(headers)}`;
  for (const row of rows) {
    const [status, headers] = row;
    const response = rawResponse(status, headers).replace('TARGET', redirected.url);
    await deliverTo(running, nameOf(row), (await startActor([response])).url);
  }
  const stops = `${accepted.replace('content-length: 0', 'content-length: 1000')}abc`;
  await deliverTo(running, 'a body that stops', (await startActor([stops])).url);
  await running.relay.clock.advance(2 * 24 * hour);
  const found = await deliveriesOf(running);
  expect(found.get('a body that stops')).toMatchObject({ state: 'delivered' });
  const outcomes = rows.map((row) => {
    const delivery = found.get(nameOf(row));
    const [{ status, error } = {}] = delivery?.attempts ?? [];
    return { name: nameOf(row), status, error, state: delivery?.state, at: secondsOf(delivery) };
  });
  expect(outcomes).toEqual(
    rows.map((row) => ({
      name: nameOf(row),
      status: row[0],
      error: row[0] < 300 ? null : `responded with status ${row[0]}`,
      state: row[0] === 410 ? 'dead' : 'delivered',
      at: row[2],
    })),
  );
  expect(redirected.requests).toEqual([]);
});

it('a refused connection or an unknown name leads to a retry, too', async () => {
  const actor = await startActor();
  const failures = ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'];
  const names = failures.map((code) => `${code.toLowerCase().replace('_', '-')}.example`);
  const waiting = new Map(names.map((name, index) => [name, failures[index]]));
  const running = await start({
    random: () => 0,
    allowTargets: ['127.0.0.1', ...names],
    resolve: (host, callback) => {
      const code = waiting.get(host);
      waiting.delete(host);
      if (code) callback(Object.assign(new Error(`${code} ${host}`), { code }), []);
      else callback(null, [{ address: '127.0.0.1', family: 4 }]);
    },
  });
  for (const name of names) {
    await deliverTo(running, name, actor.url.replace('127.0.0.1', name));
  }
  await deliverTo(running, 'refused', `http://127.0.0.1:${await freePort()}/hook`);
  await running.relay.clock.advance(60_000);
  const found = await deliveriesOf(running);
  for (const [index, name] of names.entries()) {
    expect(found.get(name)).toMatchObject({
      state: 'delivered',
      attempts: [
        { status: null, error: `${failures[index]} ${name} (${failures[index]})` },
        { status: 200, error: null },
      ],
    });
    expect(secondsOf(found.get(name))).toEqual(schedule.slice(0, 2));
  }
  expect(secondsOf(found.get('refused'))).toEqual(schedule.slice(0, 3));
  expect(found.get('refused')).toMatchObject({
    state: 'pending',
    attempts: Array(3).fill({
      error: expect.stringMatching(/^connect ECONNREFUSED .*\(ECONNREFUSED\)$/),
    }),
  });
});
