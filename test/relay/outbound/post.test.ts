import net from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { Dispatcher } from 'undici';
import { guardedAgent } from '../../../packages/relay/src/outbound/agents.ts';
import { postDelivery } from '../../../packages/relay/src/outbound/post.ts';
import { TargetRules } from '../../../packages/relay/src/outbound/targets.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { startActor } from '../support/actor.ts';

const rules = new TargetRules(['127.0.0.1', 'two.example']);
const connectTimeoutMs = 5_000;
const body = Buffer.from('{}');

const ok = (headers: string) => `HTTP/1.1 200 OK\r\n${headers}Connection: close\r\n\r\n`;
const padding = (length: number) => `X-Padding: ${'x'.repeat(length)}\r\n`;

async function posted(response: string) {
  const agent = guardedAgent(rules, { connectTimeoutMs });
  closeAfterTest(() => agent.destroy());
  const { url } = await startActor([response]);
  const outbound = { rules, agent, timeoutMs: 15_000 };
  const { status, error } = await postDelivery({ url, headers: {}, body, outbound });
  return [status, error];
}

/** What counts as failed gets a retry, whose reason an operator reads. */
it.each([
  ['headers of 60 KB', ok(`${padding(60_000)}Content-Length: 0\r\n`), [200, null]],
  [
    'headers of 70 KB',
    ok(`${padding(70_000)}Content-Length: 0\r\n`),
    [null, 'Headers Overflow Error (UND_ERR_HEADERS_OVERFLOW)'],
  ],
  [
    'the same length twice',
    ok('Content-Length: 0\r\nContent-Length: 0\r\n'),
    [null, 'Response does not match the HTTP/1.1 protocol (Duplicate Content-Length)'],
  ],
  [
    'a 100 that it was not asked for',
    `HTTP/1.1 100 Continue\r\n\r\n${ok('Content-Length: 0\r\n')}`,
    [null, 'bad response (UND_ERR_SOCKET)'],
  ],
  [
    'a 103 before it',
    `HTTP/1.1 103 Early Hints\r\n\r\n${ok('Content-Length: 0\r\n')}`,
    [200, null],
  ],
])(
  'a response with %s is accepted, or fails for a reason that can be read',
  async (_, response, outcome) => {
    expect(await posted(response)).toEqual(outcome);
  },
);

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
