import { type AddressInfo, createServer } from 'node:net';
import { respondToParent } from '../../lib/worker.ts';

/**
 * Returns the same record for every request. It only looks for the end of a request without a
 * body, so the clients, not the server, are the bottleneck.
 */
const body = JSON.stringify({
  user_id: 'usr_000123',
  registered_at: '2026-02-11T09:30:00.000Z',
  has_bookings: true,
});
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
);

const server = createServer((socket) => {
  socket.setNoDelay(true);
  let rest = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    const requests = (rest + chunk.toString('latin1')).split('\r\n\r\n');
    rest = requests.pop() ?? '';
    for (const _request of requests) socket.write(answer);
  });
});

respondToParent(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
});
