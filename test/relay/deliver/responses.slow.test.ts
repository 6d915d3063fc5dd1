import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { accepted, type Play, rawResponse, startActor } from '../support/actor.ts';
import { type Running, start, startAt } from '../support/running-relay.ts';
import { deliveriesOf, deliverTo, hour, schedule, secondsOf } from './scene.ts';

/**
 * A response to the first attempt, and what the relay does with it. The next attempt is accepted.
 */
interface Row {
  readonly name: string;
  readonly play: Play;
  readonly onConnect?: boolean;
  readonly status: number | null;
  readonly error: string | RegExp | null;
  /** When the attempts are made, in seconds. */
  readonly at: readonly number[];
  readonly state?: 'dead';
}

const delivered = (name: string, status: number, play: Play): Row => ({
  name,
  play,
  status,
  error: null,
  at: [0],
});
const [, first = 0] = schedule;
const retried = (status: number, headers: Record<string, string> = {}, seconds = first): Row => ({
  name: `${status} ${JSON.stringify(headers)}`,
  play: rawResponse(status, headers),
  status,
  error: `responded with status ${status}`,
  at: [0, seconds],
});
const broken = (name: string, error: RegExp, play: Play, onConnect = false): Row => ({
  name,
  play,
  onConnect,
  status: null,
  error,
  at: [0, first],
});

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
  ...['0', '2', imfDate(-90), '2027-03-01T09:01:30Z', 'Mon, 99 Nov 2027 99:99:99 GMT', '-3'].map(
    (value): [string, number] => [value, first],
  ),
  ...['+120', '1.5', '1e3', '0x78', '120, 60', '120s', ''].map((value): [string, number] => [
    value,
    first,
  ]),
];

const reset = (socket: Socket) => socket.resetAndDestroy();
const say = (text: string, then: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(text, () => then(socket));
};
const end = (socket: Socket) => socket.destroy();
/** Sends forever, as fast as the client reads. */
const forEver = (text: string) => (socket: Socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
};
const head = (status: number, length: string) =>
  `HTTP/1.1 ${status} Status\r\ncontent-length: ${length}\r\n\r\n`;
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
const early = (status: number) => `HTTP/1.1 ${status} Early\r\nlink: </>\r\n\r\n`;

/** Which one depends on how far the system got. */
const closed = /^(?:other side closed \(UND_ERR_SOCKET\)|(?:connect|read|write) \w+.* \(E\w+\))$/;
const unreadable = /^Response does not match the HTTP\/1\.1 protocol/;

const rows: Row[] = [
  ...[200, 201, 299].map((status) =>
    delivered(`${status}`, status, rawResponse(status, {}, 'thanks')),
  ),
  delivered('204', 204, 'HTTP/1.1 204 No Content\r\n\r\n'),
  delivered('200 of HTTP/1.0', 200, say('HTTP/1.0 200 OK\r\n\r\nthanks', end)),
  delivered('200 with Retry-After', 200, rawResponse(200, { 'retry-after': '3600' })),
  delivered('102 three times, then 200', 200, early(102).repeat(3) + accepted),

  ...[300, 301, 302, 303, 307, 308].map((status) => retried(status, { location: 'TARGET' })),
  ...[400, 401, 404, 408, 429, 499, 500, 503, 599, 600, 999].map((status) => retried(status)),
  {
    ...retried(410),
    name: '410',
    at: [0],
    state: 'dead',
  },
  ...[429, 503].flatMap((status) =>
    retryAfter.map(([value, seconds]) => retried(status, { 'retry-after': value }, seconds)),
  ),
  // A redirect or another failure with Retry-After is delayed as well.
  retried(500, { 'retry-after': '120' }, 120),
  retried(302, { 'retry-after': '120' }, 120),

  broken('reset before the request is read', closed, reset, true),
  broken('closed before the request is read', closed, end, true),
  broken('reset after the request', closed, reset),
  broken('closed after the request', closed, end),
  broken('closed within the status line', closed, say('HTTP/1.1 20', end)),
  broken('reset within the headers', closed, say('HTTP/1.1 200 OK\r\ncontent-le', reset)),
  broken('closed after a 103', closed, say(early(103), end)),
  delivered('200, reset within its body', 200, say(`${head(200, '10')}abc`, reset)),
  delivered('200, closed within its body', 200, say(`${head(200, '10')}abc`, end)),
  {
    ...retried(500),
    name: '500, reset within its body',
    play: say(`${head(500, '10')}abc`, reset),
  },

  broken(
    '101',
    /./,
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  ),
  broken('no HTTP', unreadable, say('SSH-2.0-OpenSSH_9.9\r\n', end)),
  broken('a status that is no number', unreadable, say('HTTP/1.1 abc OK\r\n\r\n', end)),
  broken('two lengths', /CONTENT_LENGTH_MISMATCH/, say(head(200, '5\r\ncontent-length: 6'), end)),
  broken('a header with a zero byte', unreadable, say('HTTP/1.1 200 OK\r\na: \0\r\n\r\n', end)),
  broken('endless headers', /HEADERS_OVERFLOW/, say('HTTP/1.1 200 OK\r\n', forEver('a: b\r\n'))),

  delivered('200 with a body that stops', 200, `${head(200, '1000')}abc`),
  delivered('200 with a body of 10 GB', 200, say(head(200, '10000000000'), forEver(chunk))),
  delivered('200 with an endless body', 200, say(chunked, forEver(chunk))),
  delivered('200 with a body until the end', 200, say('HTTP/1.1 200 OK\r\n\r\n', forEver(chunk))),
  delivered('200 with chunks that cannot be read', 200, say(`${chunked}zz\r\n`, end)),
];

/** Plays all rows at once, each with a separate subscriber and event. */
async function playAll(running: Running, redirectTo: string): Promise<void> {
  for (const { name, play, onConnect = false } of rows) {
    const first = typeof play === 'string' ? play.replace('TARGET', redirectTo) : play;
    const actor = await (onConnect ? startActor([], { onConnect: [first] }) : startActor([first]));
    await deliverTo(running, name, actor.url);
  }
}

describe(`each of ${rows.length} responses`, () => {
  it('leads to its attempts, times and final state', async () => {
    // None of these is about the limit of time, which a busy machine may reach.
    const running = await start({ random: () => 0, deliveryTimeoutMs: 120_000 });
    const redirected = await startActor();
    await playAll(running, redirected.url);
    await running.relay.clock.advance(2 * 24 * hour);
    const found = await deliveriesOf(running);
    const outcomes = rows.map(({ name }) => {
      const delivery = found.get(name);
      const [first] = delivery?.attempts ?? [];
      const { status, error } = first ?? {};
      return { name, state: delivery?.state, at: secondsOf(delivery), status, error };
    });
    expect(outcomes).toEqual(
      rows.map(({ name, status, error, at, state = 'delivered' }) => ({
        ...{ name, state, at, status },
        error: error instanceof RegExp ? expect.stringMatching(error) : error,
      })),
    );
    expect(found.size).toBe(rows.length);
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
});
