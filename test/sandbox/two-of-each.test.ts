/*
 * Each test has two of whatever the sandbox and its servers keep apart: attempts by hand and by
 * schedule, both sides of a bound, every change and the one state file.
 */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Sandbox } from '@screen-advertising/sandbox';
import { listen as serve, stopListening } from '@screen-advertising/server-kit';
import { readBody } from '../../packages/server-kit/src/http.ts';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startReceiver } from './support/receiver.ts';
import { start } from './support/running-sandbox.ts';

const folder = temporaryFolder();

it('attempts by hand that fail leave all six of the schedule', async () => {
  const { sandbox } = await start();
  const { url } = await startReceiver(Array(9).fill(500));
  sandbox.webhooks.add({ url });
  const [{ id } = { id: '' }] = await sandbox.fire('campaign.paid');
  for (let attempt = 0; attempt < 3; attempt += 1) await sandbox.deliveries.redeliver(id);
  await sandbox.clock.advance(3_600_000);
  const [{ attempts } = { attempts: [] }] = sandbox.deliveries.list();
  const times = attempts
    .filter(({ manual }) => !manual)
    .map(({ at }) => (Date.parse(at) - Date.parse('2027-03-01T09:00:00Z')) / 1000);
  expect(times).toEqual([0, 1, 6, 36, 156, 756]);
});

it.each<[string, (sandbox: Sandbox) => unknown]>([
  [
    'a webhook address that is added',
    (sandbox) => sandbox.webhooks.add({ url: 'http://127.0.0.1/' }),
  ],
  ['one that is removed', (sandbox) => sandbox.webhooks.remove('whk_0001')],
  ['a client secret that is rotated', (sandbox) => sandbox.rotateClientSecret('full')],
  ['a screen that is added', (sandbox) => sandbox.screens.add({ name: 'New' })],
  ['a reset', (sandbox) => sandbox.reset()],
])('the state file has %s', async (_what, change) => {
  const stateFile = join(folder(), `${Math.random()}.json`);
  const { sandbox } = await start({ stateFile, screens: 2 });
  sandbox.webhooks.add({ url: 'http://127.0.0.1/first' });
  const stored = () => JSON.parse(readFileSync(stateFile, 'utf8')).data as unknown;
  const nextTick = () => new Promise(setImmediate);
  await nextTick();
  await nextTick();
  const before = stored();
  change(sandbox);
  await nextTick();
  await nextTick();
  expect(stored()).not.toEqual(before);
  expect(stored()).toEqual(JSON.parse(JSON.stringify(sandbox.snapshot().data)));
});

it('a reset clears both limits, of calls and of token requests', async () => {
  const { sandbox, url, call, full } = await start({
    rateLimit: { requests: 1, tokenRequests: 1 },
  });
  const { clientId: client_id, clientSecret: client_secret } = full;
  const statuses = async () => [
    (await call('GET', '/screens')).status,
    (await call('POST', '/oauth/token', { token: null, body: { client_id, client_secret } }))
      .status,
  ];
  expect(url).not.toBe('');
  expect(await statuses()).toEqual([200, 200]);
  expect(await statuses()).toEqual([429, 429]);
  sandbox.reset();
  expect(await statuses()).toEqual([200, 200]);
});

describe('a body', () => {
  class Problem extends Error {}
  const read = (length: number, announces: boolean) => {
    const body = announces ? 'x'.repeat(length) : new Blob(['x'.repeat(length)]).stream();
    const headers = announces ? { 'content-length': String(length) } : {};
    const init = { method: 'POST', body, headers, duplex: 'half' };
    return readBody(new Request('http://sandbox.example/', init), 100, Problem);
  };

  it.each([true, false])('may be as long as the limit, announced: %s', async (announces) => {
    expect((await read(100, announces)).length).toBe(100);
    await expect(read(101, announces)).rejects.toThrow('body-too-large');
  });
});

it('a sandbox that closes waits for no receiver that hangs', async () => {
  const { sandbox } = await start({ internal: { webhookTimeoutMs: 2_000_000_000 } });
  const arrived = Promise.withResolvers<void>();
  const { port, close } = await listen(createServer(() => arrived.resolve()));
  closeAfterTest(close);
  sandbox.webhooks.add({ url: `http://127.0.0.1:${port}/` });
  const sent = sandbox.fire('campaign.paid');
  await arrived.promise;
  await sandbox.close();
  await sent;
  expect(sandbox.deliveries.list()).toMatchObject([{ attempts: [] }]);
});

it('a server that has stopped leaves no timer', async () => {
  const timers = () =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = timers();
  const { server } = await serve(async () => new Response('done'));
  await stopListening(server, 60_000);
  expect(timers()).toBe(before);
});
