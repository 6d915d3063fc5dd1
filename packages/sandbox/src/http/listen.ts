import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';

export const loopback = '127.0.0.1';

export interface ListenOptions {
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
}

export type Handle = (request: Request, socket: HttpBindings) => Promise<Response>;

/** Rejects with the system's error when the port is taken or the host is not on this machine. */
export async function listen(
  handle: Handle,
  { port = 0, host = loopback }: ListenOptions,
): Promise<{ server: Server; url: string }> {
  const server = createAdaptorServer({
    fetch: (request, env) => handle(request, env as HttpBindings),
    overrideGlobalObjects: false,
  }) as Server;
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

export async function stopListening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
