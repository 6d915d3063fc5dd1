import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';

export const host = '127.0.0.1';

export type Handle = (request: Request, socket: HttpBindings) => Promise<Response>;

/** Serves on loopback only. Rejects with the system's error when the port is in use. */
export async function listen(
  handle: Handle,
  port: number,
): Promise<{ server: Server; url: string }> {
  const listener = getRequestListener((request, env) => handle(request, env as HttpBindings), {
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { server, url: `http://${host}:${(server.address() as AddressInfo).port}` };
}

export async function stopListening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
