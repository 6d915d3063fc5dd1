import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { listen, stopListening } from '@screen-advertising/server-kit';

/** A server whose responses wait until the test releases them. */
async function slowServer(mayRespond: Promise<unknown>) {
  const arrival = Promise.withResolvers<void>();
  const { server, url } = await listen(async (request) => {
    arrival.resolve();
    await Promise.all([mayRespond, request.text()]);
    return new Response('done');
  });
  return { server, port: Number(new URL(url).port), arrived: arrival.promise };
}

function converse(port: number, text: string): { socket: Socket; received: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  const received = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(answer));
    socket.once('error', () => undefined);
  });
  socket.write(text);
  return { socket, received };
}

describe('a server that stops', () => {
  it('responds to requests under way, and closes keep-alive connections', async () => {
    const response = Promise.withResolvers<void>();
    const { server, port, arrived } = await slowServer(response.promise);
    const { received } = converse(
      port,
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n',
    );
    await arrived;
    // No timeout, so that nothing else closes the connection.
    server.keepAliveTimeout = 0;
    const stopped = stopListening(server, 2 ** 31 - 1);
    const late = converse(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await late.received).toBe('');
    response.resolve();
    await stopped;
    expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*done/);
  });

  it('cuts off a client that never sends the whole request', async () => {
    const { server, port, arrived } = await slowServer(Promise.resolve());
    const { received } = converse(
      port,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
    );
    await arrived;
    await stopListening(server, 100);
    expect(await received).toBe('');
  });
});

it('an idle connection stays open for longer than proxies keep it', async () => {
  const { server, url } = await listen(async () => new Response('done'));
  const { headers } = await fetch(url);
  expect(headers.get('keep-alive')).toBe('timeout=130');
  await stopListening(server, 0);
});

it('a request that does not end is ended within a second after its limit', async () => {
  const { server, port, arrived } = await slowServer(Promise.resolve());
  expect(server.requestTimeout).toBe(30_000);
  // Node.js reads it at each look.
  server.requestTimeout = 1;
  server.headersTimeout = 1;
  const { received } = converse(
    port,
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
  );
  await arrived;
  expect(await received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  await stopListening(server, 0);
});

it('a health check without a Host header, in HTTP/1.0, gets a response', async () => {
  const { server, port } = await slowServer(Promise.resolve());
  const { received } = converse(port, 'GET /healthz HTTP/1.0\r\n\r\n');
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*done/);
  await stopListening(server, 0);
});
