import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { listen } from '../../shared/support/loopback.ts';
import { closeAfterTest } from '../../support/closing.ts';

/** A raw response, byte by byte, since HTTP servers refuse to break the protocol. */
export type Play = string | ((socket: Socket) => void);

export type Actor = Awaited<ReturnType<typeof startActor>>;

export const accepted = rawResponse(200);

export function rawResponse(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const all = { 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${body}`;
}

/**
 * A subscriber that plays one response per request, and accepts when none is left. Those of
 * `onConnect` are played as soon as a connection opens, each on a separate one, before the responses.
 */
export async function startActor(
  answers: Play[] = [],
  { tls, onConnect = [] }: { readonly tls?: TlsOptions; readonly onConnect?: Play[] } = {},
) {
  /** Those that arrived in full. */
  const requests: string[] = [];
  const serve = (socket: Socket) => {
    socket.on('error', () => undefined);
    const first = onConnect.shift();
    if (first !== undefined) play(socket, first);
    else
      onRequest(socket, (request) => play(socket, answers.shift() ?? accepted, requests, request));
  };
  const { port, close } = await listen(tls ? createTlsServer(tls, serve) : createServer(serve));
  closeAfterTest(close);
  return { port, url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`, requests, answers };
}

function play(socket: Socket, what: Play, requests: string[] = [], request = ''): void {
  if (request !== '') requests.push(request);
  if (typeof what === 'string') socket.write(what, 'latin1');
  else what(socket);
}

function onRequest(socket: Socket, onWhole: (request: string) => void): void {
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
    const head = received.indexOf('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(received)?.[1] ?? 0);
    if (head < 0 || received.length < head + 4 + length) return;
    const request = received;
    received = '';
    onWhole(request);
  });
}
