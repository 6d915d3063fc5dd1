import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { listen } from '../shared/support/loopback.ts';
import { freePort } from '../support/free-port.ts';
import { ids, PolledRelay, paid, redeemed } from './polled-relay.ts';

const relay = new PolledRelay();

describe('when a poll fails', () => {
  it('in the middle of the pages, it loses and duplicates nothing', async () => {
    const poller = await relay.published([paid, redeemed]);
    const expected = [
      ...(await relay.happenMany(paid, 250)),
      ...(await relay.happenMany(redeemed, 250)),
    ];
    const door = await openDoor([true, true, true, false]);
    relay.connectTo(door.url);
    await expect(poller.poll()).rejects.toMatchObject({
      message: 'List Events failed: the relay reported an error (500)',
      description: 'Retry in a few minutes.',
    });
    relay.connectTo(relay.running.url);
    expected.push(await relay.happens(paid));
    expect(ids(await poller.poll()).sort()).toEqual(expected.sort());
    expect(await poller.poll()).toEqual([]);
    await door.close();
  });

  it('because the relay is away, the next one that reaches it misses nothing', async () => {
    const poller = await relay.published([paid]);
    const id = await relay.happens(paid);
    const port = await freePort();
    relay.connectTo(`http://127.0.0.1:${port}`);
    await expect(poller.poll()).rejects.toMatchObject({
      name: 'NodeApiError',
      message: `No usable response from the relay: 127.0.0.1:${port} refused the connection (ECONNREFUSED)`,
      description: expect.stringMatching(/^Check the base URL and .* use host\.docker\.internal /),
    });
    poller.restart();
    relay.connectTo(relay.running.url);
    expect(ids(await poller.poll())).toEqual([id]);
  });

  it.each([
    [
      'a key that the relay does not know',
      `rly_${'a'.repeat(43)}.whsec_${'a'.repeat(44)}`,
      'List Events failed: the relay did not accept the credentials (401)',
      /^The relay says: .* Check that the connector key is complete and belongs to this relay\.$/,
    ],
    [
      'a key that was not copied whole',
      'rly_abc',
      expect.stringMatching(/cannot be used: The connector key has only the token\. Copy .* again/),
      'Nothing was sent. Open the credential and correct it.',
    ],
  ])('because of %s, it says what to do', async (_what, connectorKey, message, description) => {
    relay.connectTo(relay.running.url, connectorKey);
    await expect(relay.publish([paid]).poll()).rejects.toMatchObject({
      message,
      description: description instanceof RegExp ? expect.stringMatching(description) : description,
    });
  });

  it('because something else is at the address, it says what to do', async () => {
    const page = await listen(createServer((_, response) => response.writeHead(404).end()));
    relay.connectTo(`http://127.0.0.1:${page.port}`);
    await expect(relay.publish([paid]).poll()).rejects.toMatchObject({
      message: 'List Events failed: not found (404)',
      description: 'Check that the base URL leads to the relay.',
    });
    await page.close();
  });
});

/**
 * A proxy in front of the relay that responds to each request in turn with the relay's response, or
 * 500.
 */
async function openDoor(passes: readonly boolean[]) {
  let count = 0;
  const server = createServer(async ({ url = '', headers }, response) => {
    const isOpen = passes[count] ?? false;
    count += 1;
    if (!isOpen) {
      response.writeHead(500).end();
      return;
    }
    const { authorization = '' } = headers;
    const passed = await fetch(`${relay.running.url}${url}`, { headers: { authorization } });
    response.writeHead(passed.status, { 'content-type': 'application/json' });
    response.end(await passed.text());
  });
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close };
}
