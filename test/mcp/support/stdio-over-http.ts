import { randomUUID } from 'node:crypto';
import { createServer, request as send } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import { bearerToken, type RunningServer } from './connect.ts';

/** Lets an HTTP-only client talk to servers on streams, with a new server for each session. */
export function stdioOverHttp(start: () => RunningServer): Promise<Listening> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async () => {
    const server = start();
    const streams = new StdioServerTransport(server.output, server.input);
    const http = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, http),
    });
    http.onmessage = (message) => void streams.send(message);
    streams.onmessage = (message) => void http.send(message);
    await Promise.all([http.start(), streams.start()]);
    return http;
  };
  const answer = async (request: Request) => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    return (known ?? (await open())).handleRequest(request);
  };
  const listener = getRequestListener(answer, { overrideGlobalObjects: false });
  return listen(createServer((request, response) => void listener(request, response)));
}

/** Adds the bearer token for a client that cannot. */
export function withBearerToken(url: string): Promise<Listening> {
  const { port } = new URL(url);
  return listen(
    createServer((request, response) => {
      const { method, url: path, headers } = request;
      const authorization = `Bearer ${bearerToken}`;
      const options = {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, authorization },
      };
      const forwarded = send(options, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      request.pipe(forwarded);
    }),
  );
}
