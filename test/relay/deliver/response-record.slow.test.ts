import type { Socket } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import { type Opened, openPage } from '../page/support.ts';
import { type Play, rawResponse, startActor } from '../support/actor.ts';
import { ownSource, subscribe } from '../support/running-relay.ts';

interface Stored {
  readonly id: string;
  readonly attempts: readonly { readonly response: object | null }[];
}

/** An attempt without a response. */
const hangUp = (socket: Socket) => void socket.destroy();

let shared: Opened;

beforeAll(async () => {
  shared = await openPage();
});

/** A delivery of a source of the test's own, as the API and the page show it. */
async function attempted(play: Play) {
  const actor = await startActor([play]);
  const running = await ownSource(shared);
  const { call, deliver, relay } = running;
  const id = await subscribe(running, actor.url);
  await deliver({ id: 'one', type: 'campaign.paid' });
  await relay.clock.advance(0);
  return {
    ...running,
    actor,
    async stored(): Promise<Stored> {
      const [delivery] = (await call('GET', '/deliveries')).body.data;
      return (await call('GET', `/deliveries/${delivery.id}`)).body;
    },
    page: async () => (await shared.visitor.get(`/operator/deliveries?subscription=${id}`)).html,
  };
}

const told = (status: number, headers: object, body: string, more: object = {}) => [
  expect.objectContaining({
    status,
    response: { status, headers, body, is_binary: false, is_cut: false, ...more },
  }),
];

it('an attempt shows the response on API, command line and page, and no cookie', async () => {
  const headers = { 'content-type': 'text/plain', 'x-request-id': '<r1>', 'set-cookie': 'a=1' };
  const opened = await attempted(rawResponse(500, headers, 'Disk\n full \u001b[31m<b>'));
  const stored = await opened.stored();
  const shown = { 'content-length': '19', 'content-type': 'text/plain', 'x-request-id': '<r1>' };
  expect(stored.attempts).toEqual(told(500, shown, 'Disk full \\u001b[31m<b>'));
  expect(await opened.relay.operate('deliveries.get', { id: stored.id })).toEqual(stored);
  const html = await opened.page();
  expect(html).toContain(
    '<pre>content-type: text/plain\nx-request-id: &lt;r1&gt;\ncontent-length: 19\n\nDisk full \\u001b[31m&lt;b&gt;</pre>',
  );
  // A page of many deliveries would be long with them.
  expect((await opened.call('GET', '/deliveries')).body.data[0].attempts[0]).not.toHaveProperty(
    'response',
  );
});

it('of 10 MB, the first 1,024 characters are kept, and most is not read', async () => {
  const size = 10 * 2 ** 20;
  let sent = 0;
  const endless = (socket: Socket) => {
    const more = () => {
      while (!socket.destroyed && sent < size && socket.write('x'.repeat(4096))) sent += 4096;
    };
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
    socket.on('drain', more);
    more();
  };
  const opened = await attempted(endless);
  const headers = { 'content-length': String(size) };
  const { attempts } = await opened.stored();
  expect(attempts).toEqual(told(200, headers, 'x'.repeat(1024), { is_cut: true }));
  expect(sent).toBeLessThan(size);
});

it.each([
  ['zero bytes', 'application/octet-stream', 'a\0b', '', true],
  ['bytes of no character set', 'text/plain', '\xff\xfe\xfa', '', true],
  ['Latin-1, when it says so', 'text/plain; charset=iso-8859-1', 'gr\xfc\xdfe', 'grüße', false],
  ['an unknown character set', 'text/plain; charset=x', 'hello', '', true],
])('%s', async (_, type, bytes, body, is_binary) => {
  const raw = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n\r\n${bytes}`;
  const opened = await attempted(raw);
  const headers = { 'content-length': String(bytes.length), 'content-type': type };
  expect((await opened.stored()).attempts).toEqual(told(200, headers, body, { is_binary }));
  const html = await opened.page();
  expect(html.includes('(binary)')).toBe(is_binary);
});

it('the limit may cut a character in two', async () => {
  const opened = await attempted(
    rawResponse(200, {}, Buffer.from('€'.repeat(2000)).toString('latin1')),
  );
  const [attempt] = (await opened.stored()).attempts;
  expect(attempt?.response).toMatchObject({
    body: expect.stringMatching(/^€{800,}$/),
    is_cut: true,
  });
});

const encodings: [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['URL-encoded', encodeURIComponent],
  ['in JSON', (text) => JSON.stringify({ text }).replaceAll('/', '\\/')],
];

it.each(encodings)('the relay stores none of its secrets that come back %s', async (_, encode) => {
  let secrets: readonly string[] = [];
  const echo = (socket: Socket) => {
    const request = opened.actor.requests.at(-1) ?? '';
    const [, own = ''] = /v1=([0-9a-f]{64})/.exec(request) ?? [];
    const [, standard = ''] = /v1,(\S{44})/.exec(request) ?? [];
    const { signingSecret } = opened.key;
    secrets = [own, standard, signingSecret, signingSecret.replace('whsec_', '')];
    const quoted = secrets.map((secret) => encode(`signature ${secret} is wrong.`));
    socket.write(rawResponse(401, { 'www-authenticate': quoted[0] ?? '' }, quoted.join('\n')));
  };
  const opened = await attempted(hangUp);
  opened.actor.answers.push(echo);
  await opened.relay.clock.advance(20_000);
  const stored = JSON.stringify((await opened.stored()).attempts[1]?.response);
  expect(stored).toContain('[redacted]');
  const encoded = secrets.map((secret) => encode(secret).replaceAll('\\', '\\\\'));
  for (const secret of [...secrets, ...encoded]) expect(stored).not.toContain(secret);
});

it('a secret that the limit cuts is not shown in part', async () => {
  const opened = await attempted(hangUp);
  const secret = opened.key.signingSecret.replace('whsec_', '');
  const text = ` ${secret}`.repeat(200);
  opened.actor.answers.push(rawResponse(500, {}, text));
  await opened.relay.clock.advance(20_000);
  const [, attempt] = (await opened.stored()).attempts;
  const stored = JSON.stringify(attempt?.response);
  expect(stored).toContain('[redacted]');
  expect(stored).not.toContain(secret.slice(0, 4));
});
