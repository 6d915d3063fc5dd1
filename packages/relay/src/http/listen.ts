import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';

/** A client that trickles its body in would hold a connection forever. */
const longestRequestMs = 30_000;
/**
 * A request on a connection that the relay closes at that moment is lost, so the proxy in front of it
 * must be the first to close idle ones. Caddy keeps them for two minutes.
 */
const keepAliveTimeout = 130_000;

/** Rejects with the system's error when the port is taken or the host is not on this machine. */
export async function listen(
  handle: (request: Request, bindings: HttpBindings) => Promise<Response>,
  port: number,
  host: string,
): Promise<{ server: Server; url: string }> {
  const listener = getRequestListener(
    // Plain HTTP only. A proxy adds TLS.
    (request, bindings) => handle(request, bindings as HttpBindings),
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    { requestTimeout: longestRequestMs, keepAliveTimeout },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  const name = address === '0.0.0.0' || address === '::' ? 'localhost' : address;
  return {
    server,
    url: `http://${family === 'IPv6' && name.includes(':') ? `[${name}]` : name}:${taken}`,
  };
}

/**
 * Cuts off clients that have not sent a whole request by then. They got no response, so they retry.
 */
const longestDrainMs = 10_000;
const lookMs = 50;

/** Accepts no new requests and waits for those under way. */
export async function stopListening(server: Server, drainMs = longestDrainMs): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A keep-alive connection is idle once its request has a response.
  const looking = setInterval(() => server.closeIdleConnections(), lookMs);
  const bound = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(looking);
  clearTimeout(bound);
}
