import { connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { type Running, start } from '../../support/running-relay.ts';

const mebibyte = 1024 * 1024;
const busy = {
  type: 'urn:screen-advertising:relay:problem:unavailable',
  title: 'Temporarily unavailable',
  status: 503,
  detail: 'The relay is reading too many large requests. Retry in 5 s.',
  retry_after: 5,
};

/** Announces a delivery of a mebibyte, and keeps back its last byte. Resolves with a response. */
function almostSend({ url }: Running): { socket: Socket; response: Promise<string> } {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const response = new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(data.toString()));
  });
  socket.write(`POST /in/main HTTP/1.1\r\nHost: x\r\nContent-Length: ${mebibyte}\r\n\r\n`);
  socket.write(Buffer.alloc(mebibyte - 1));
  return { socket, response };
}

it('64 MiB of large requests are read at once, and small ones beside them', async () => {
  const running = await start();
  const attackers = Array.from({ length: 65 }, () => almostSend(running));
  // The 65th one, whichever it is.
  const refused = await Promise.any(attackers.map(({ response }) => response));
  expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5/);
  const large = { id: '1', type: 'campaign.paid', data: 'x'.repeat(mebibyte / 2) };
  expect((await running.deliver(large)).body).toEqual(busy);
  expect((await running.deliver({ id: '2', type: 'campaign.paid' })).status).toBe(202);
  for (const { socket } of attackers) socket.destroy();
  while ((await statusOf(running, large)) !== 202);
});

/** Undefined if the relay closed the connection before the request was sent. */
async function statusOf({ deliver }: Running, event: unknown): Promise<number | undefined> {
  return deliver(event).then(
    ({ status }) => status,
    () => undefined,
  );
}
