import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A request written byte by byte, since HTTP clients refuse to send invalid ones. */
export interface RawRequest {
  readonly name: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** Sends only this much of the body, then closes its side of the connection. */
  readonly only?: number;
  /** The length that it announces, without a body: for a response that comes before the body is read. */
  readonly announces?: number;
  /** Sends the body in this many pieces, with a pause before each. */
  readonly pieces?: number;
  /** Sends the body in chunks instead of with its length. */
  readonly chunked?: boolean;
}

const pauseMs = 50;
const withinMs = 30_000;

/** Sends the request. Returns the status; undefined when the connection ends without a response. */
export async function sendRaw(url: string, request: RawRequest): Promise<number | undefined> {
  const { hostname, port, pathname } = new URL(url);
  const { method = 'POST', headers = {}, only, announces, pieces = 1, chunked = false } = request;
  const body = Buffer.from(request.body ?? '');
  const length = chunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': announces ?? body.length };
  const lines = Object.entries({ host: hostname, connection: 'close', ...length, ...headers });
  const socket = connect(Number(port), hostname);
  socket.setTimeout(withinMs, () => socket.destroy());
  // The other side may close the connection before it has read everything.
  socket.on('error', () => undefined);
  const status = new Promise<number | undefined>((resolve) => {
    let received = '';
    socket.on('data', (data) => {
      received += data.toString('latin1');
      const [, code] = /^HTTP\/1\.1 (\d{3}) /.exec(received) ?? [];
      if (code === undefined || code === '100') return;
      resolve(Number(code));
      socket.destroy();
    });
    socket.on('close', () => resolve(undefined));
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${head}\r\n`);
  const sent = body.subarray(0, only ?? body.length);
  const size = Math.max(1, Math.ceil(sent.length / pieces));
  for (let start = 0; start < sent.length; start += size) {
    if (pieces > 1) await wait(pauseMs);
    const piece = sent.subarray(start, start + size);
    if (chunked) socket.write(`${piece.length.toString(16)}\r\n`);
    socket.write(piece);
    if (chunked) socket.write('\r\n');
  }
  if (chunked && only === undefined) socket.write('0\r\n\r\n');
  if (only !== undefined) socket.end();
  return await status;
}
