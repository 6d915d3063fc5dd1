import net, { type Socket } from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { Dispatcher } from 'undici';
import { guardedAgent } from '../../../packages/relay/src/outbound/agents.ts';
import { postDelivery } from '../../../packages/relay/src/outbound/post.ts';
import { TargetRules } from '../../../packages/relay/src/outbound/targets.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { type Play, startActor } from '../support/actor.ts';

const rules = new TargetRules(['127.0.0.1', 'two.example']);
const connectTimeoutMs = 5_000;
const body = Buffer.from('{}');

type Actor = Awaited<ReturnType<typeof startActor>>;

async function posted({ url }: Actor, timeoutMs = 15_000) {
  const agent = guardedAgent(rules, { connectTimeoutMs });
  closeAfterTest(() => agent.destroy());
  const outbound = { rules, agent, timeoutMs };
  const { status, error } = await postDelivery({ url, headers: {}, body, outbound });
  return [status, error];
}

const head = (status: number, more: string) => `HTTP/1.1 ${status} Status\r\n${more}\r\n\r\n`;
const empty = 'content-length: 0';
const padded = (length: number) => head(200, `x-padding: ${'x'.repeat(length)}\r\n${empty}`);
const early = (status: number) => head(status, 'link: </>');
const chunked = head(200, 'transfer-encoding: chunked');
const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;

const reset = (socket: Socket) => socket.resetAndDestroy();
const end = (socket: Socket) => socket.destroy();
const say = (text: string, then: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(text, () => then(socket));
};
/** Sends forever, as fast as the client reads. */
const forEver = (text: string) => (socket: Socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
};

/** What counts as failed gets a retry, whose reason an operator reads. Some depend on the system. */
const closed = /^(?:other side closed \(UND_ERR_SOCKET\)|(?:connect|read|write) \w+.* \(E\w+\))$/;
const unreadable = /^Response does not match the HTTP\/1\.1 protocol/;

it.each<[name: string, play: Play, status: number | null, error: string | RegExp | null]>([
  ['headers of 60 KB', padded(60_000), 200, null],
  ['headers of 70 KB', padded(70_000), null, 'Headers Overflow Error (UND_ERR_HEADERS_OVERFLOW)'],
  ['endless headers', say('HTTP/1.1 200 OK\r\n', forEver('a: b\r\n')), null, /HEADERS_OVERFLOW/],
  [
    'the same length twice',
    head(200, `${empty}\r\n${empty}`),
    null,
    'Response does not match the HTTP/1.1 protocol (Duplicate Content-Length)',
  ],
  [
    'two lengths',
    say(head(200, 'content-length: 5\r\ncontent-length: 6'), end),
    null,
    /CONTENT_LENGTH_MISMATCH/,
  ],
  ['a header with a zero byte', say(head(200, 'a: \0'), end), null, unreadable],
  ['a status that is no number', say('HTTP/1.1 abc OK\r\n\r\n', end), null, unreadable],
  ['no HTTP', say('SSH-2.0-OpenSSH_9.9\r\n', end), null, unreadable],
  ['HTTP/1.0', say('HTTP/1.0 200 OK\r\n\r\nthanks', end), 200, null],
  ['a switch of protocols', head(101, 'upgrade: x\r\nconnection: upgrade'), null, /./],
  [
    'a 100 that it was not asked for',
    head(100, 'x: y') + head(200, empty),
    null,
    'bad response (UND_ERR_SOCKET)',
  ],
  ['three early ones', early(102).repeat(3) + head(200, empty), 200, null],
  ['an early one alone', say(early(103), end), null, closed],
  ['a reset', reset, null, closed],
  ['an end', end, null, closed],
  ['an end within the status line', say('HTTP/1.1 20', end), null, closed],
  ['a reset within the headers', say('HTTP/1.1 200 OK\r\ncontent-le', reset), null, closed],
  ['a reset within the body', say(`${head(500, 'content-length: 9')}abc`, reset), 500, null],
  ['an end within the body', say(`${head(200, 'content-length: 9')}abc`, end), 200, null],
  ['a body of 10 GB', say(head(200, `content-length: ${1e10}`), forEver(chunk)), 200, null],
  ['an endless body', say(chunked, forEver(chunk)), 200, null],
  ['a body until the end', say(head(200, 'x: y'), forEver(chunk)), 200, null],
  ['chunks that cannot be read', say(`${chunked}zz\r\n`, end), 200, null],
])('a response with %s is accepted, or fails for a reason', async (_, play, status, error) => {
  const expected = error instanceof RegExp ? expect.stringMatching(error) : error;
  expect(await posted(await startActor([play]))).toEqual([status, expected]);
});

it.each([reset, end])('a connection that ends before the request is read fails', async (play) => {
  const actor = await startActor([], { onConnect: [play] });
  expect(await posted(actor)).toEqual([null, expect.stringMatching(closed)]);
});

const piecewise = (start: string, piece: string) => (socket: Socket) => {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 10);
  socket.on('close', () => clearInterval(timer));
};

it.each<[name: string, play: Play]>([
  ['nothing', () => undefined],
  ['half of a status line', 'HTTP/1.1 20'],
  ['half of the headers', 'HTTP/1.1 200 OK\r\nx: y\r\n'],
  ['a header line now and then', piecewise('HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
  ['a letter now and then', piecewise('HTTP/1.1 200 O', 'K')],
  ['a 103 now and then', piecewise('', early(103))],
])('a subscriber that sends %s does not respond in time', async (_, play) => {
  const outcome = await posted(await startActor([play]), 60);
  expect(outcome).toEqual([null, 'no response within 60 ms']);
});

/** As a connection that is open, and grants no stream. */
class Holding extends Dispatcher {
  override dispatch() {
    return true;
  }
}

it('an attempt ends at its time, also if the library holds it past that', async () => {
  const outbound = { rules, agent: new Holding(), timeoutMs: 50 };
  const { error } = await postDelivery({ url: 'http://127.0.0.1:9/', headers: {}, body, outbound });
  expect(error).toBe('no response within 50 ms');
});

it('each address of a name gets 2 s, and after a refusal the next one is asked at once', async () => {
  const connected = jest.spyOn(net, 'connect');
  const actor = await startActor();
  const agent = guardedAgent(rules, {
    connectTimeoutMs,
    resolve: (_host, callback) =>
      callback(null, [
        { address: '127.0.0.2', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]),
  });
  closeAfterTest(() => agent.destroy());
  const outbound = { rules, agent, timeoutMs: 15_000 };
  const url = `http://two.example:${actor.port}/`;
  const { status } = await postDelivery({ url, headers: {}, body, outbound });
  expect(status).toBe(200);
  expect(connected.mock.calls[0]?.[0]).toMatchObject({ autoSelectFamilyAttemptTimeout: 2_000 });
});
