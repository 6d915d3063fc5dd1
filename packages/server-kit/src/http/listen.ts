import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

export const loopback = '127.0.0.1';

export interface ListenOptions {
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
}

/** Not Hono's type: its declarations need the DOM, which the project of a server does not have. */
interface Socket {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

type Handle = (request: Request, socket: Socket) => Promise<Response>;

/** A client that trickles its body in would hold a connection forever. */
const requestTimeout = 30_000;
/** How often Node.js looks for requests that take longer. By default only every 30 s. */
const connectionsCheckingInterval = 1_000;
/**
 * A request on a connection that the server closes at that moment is lost, so the proxy in front of
 * it must be the first to close idle ones. Caddy keeps them for two minutes.
 */
const keepAliveTimeout = 130_000;

/**
 * Serves plain HTTP; a proxy adds TLS. Rejects with the system's error when the port is taken or the
 * host is not on this machine.
 */
export async function listen(
  handle: Handle,
  { port = 0, host = loopback }: ListenOptions = {},
): Promise<{ server: Server; url: string }> {
  const listener = getRequestListener(
    (request, bindings) => handle(request, bindings as Socket),
    // HTTP/1.0 has no Host header; load balancers check whether the server runs with it.
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
  return { server, url: urlOf(server.address() as AddressInfo) };
}

/** The address on this machine. A server on all addresses also listens on loopback. */
function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0') return `http://${loopback}:${port}`;
  if (family !== 'IPv6') return `http://${address}:${port}`;
  return `http://[${address === '::' ? '::1' : address}]:${port}`;
}

/** Whether only this machine can reach a server on this host. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

const lookMs = 50;

/**
 * Accepts no new requests and waits up to `drainMs` for those under way. It then cuts off clients
 * that have not sent a whole request; they get no response, so they retry.
 */
export async function stopListening(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A keep-alive connection is idle once its request has a response.
  const looking = setInterval(() => server.closeIdleConnections(), lookMs);
  const cutOff = () => server.closeAllConnections();
  const bound = setTimeout(cutOff, drainMs);
  if (drainMs === 0) cutOff();
  await closed;
  clearInterval(looking);
  clearTimeout(bound);
}
