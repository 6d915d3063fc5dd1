import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
  originValidationResponse,
} from '@modelcontextprotocol/server';

const loopback = '127.0.0.1';
const path = '/mcp';

/**
 * Serves over streamable HTTP to this machine only. The Host and Origin checks refuse a web page
 * that points its own domain name at this machine, and the token keeps out other programs.
 */
export async function serveHttp(
  factory: McpServerFactory,
  { port, token }: { readonly port: number; readonly token: string },
) {
  const handler = createMcpHandler(factory);
  const handle = async (request: Request) => reject(request, token) ?? handler.fetch(request);
  const listener = getRequestListener(handle, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  await once(server.listen(port, loopback), 'listening');
  const { port: used } = server.address() as AddressInfo;
  return {
    url: `http://${loopback}:${used}${path}`,
    async close() {
      await handler.close();
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

function reject(request: Request, token: string): Response | undefined {
  const foreign =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  if (foreign) return foreign;
  if (!hasToken(request.headers.get('authorization'), token)) {
    const message = 'Send the token of this MCP server as Authorization: Bearer <token>.';
    return new Response(message, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  }
  if (new URL(request.url).pathname === path) return undefined;
  return new Response(`This MCP server responds at ${path}.`, { status: 404 });
}

/** Digests have one length, so comparing them does not reveal how much of a token is right. */
function hasToken(header: string | null, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(token));
}
