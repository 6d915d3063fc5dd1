import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';

/** A client that trickles its body in would hold a connection forever. */
const requestTimeout = 30_000;
/** How often Node.js looks for requests that take longer. By default only every 30 s. */
const connectionsCheckingInterval = 1_000;
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
    // HTTP/1.0 has no Host header; load balancers check whether the relay runs with it.
    { overrideGlobalObjects: false, hostname: 'localhost' },
  );
  const server = createServer(
    { requestTimeout, connectionsCheckingInterval, keepAliveTimeout },
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
