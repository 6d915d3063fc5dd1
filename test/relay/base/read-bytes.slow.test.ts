import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { closeAfterTest } from '../../support/closing.ts';
import { type Running, start } from '../support/running-relay.ts';

const mebibyte = 1024 * 1024;
const busy = {
  type: 'urn:screen-advertising:relay:problem:unavailable',
  title: 'Temporarily unavailable',
  status: 503,
  detail: 'The relay is reading too many large requests. Retry in 5 s.',
  retry_after: 5,
};

/** Announces a delivery of a mebibyte, and sends so much of it. */
function almostSend(
  { url }: Running,
  sent: number,
  signature = 'x-service-signature: t=1,v1=00\r\n',
) {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const response = new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(data.toString()));
  });
  const head = `POST /in/main HTTP/1.1\r\nHost: x\r\n${signature}Content-Length: ${mebibyte}\r\n\r\n`;
  socket.write(head);
  socket.write(Buffer.alloc(sent));
  closeAfterTest(() => socket.destroy());
  return { socket, response };
}

const large = (id: string) => ({ id, type: 'campaign.paid', data: 'x'.repeat(mebibyte / 2) });

it('strangers who announce large deliveries, and send a byte, turn no large delivery away', async () => {
  const running = await start();
  for (let count = 0; count < 70; count += 1) almostSend(running, 1);
  expect((await running.deliver(large('1'))).status).toBe(202);
});

it('a delivery without a signature is refused before its body is read', async () => {
  const { response } = almostSend(await start(), 1, '');
  expect(await response).toMatch(/^HTTP\/1\.1 401 /);
});

it('of more than 64 MiB that are held back, the slowest end, and large deliveries are stored', async () => {
  const running = await start();
  const attackers = Array.from({ length: 70 }, () => almostSend(running, mebibyte - 1));
  const refused = await Promise.any(attackers.map(({ response }) => response));
  expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5/);
  expect(refused).toContain(JSON.stringify(busy));
  expect((await running.deliver(large('1'))).status).toBe(202);
  expect((await running.deliver({ id: '2', type: 'campaign.paid' })).status).toBe(202);
});
