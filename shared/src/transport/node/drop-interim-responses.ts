import type { Socket } from 'node:net';

/** Length of `HTTP/1.1 200`. */
const statusEnd = 12;
const hundreds = '1'.charCodeAt(0);
/** More than any list of early hints. */
const longestHead = 16_384;

/**
 * Drops the interim responses before the final one, from a socket that carries one request at a
 * time. undici closes the connection at a `100 Continue` that it did not ask for, although HTTP
 * says to ignore it. A change would then count as lost.
 */
export function dropInterimResponses<Kind extends Socket>(socket: Kind): Kind {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...values: unknown[]) => boolean;
  let isAtStart = false;
  let held: Buffer | undefined;
  socket.write = (...values: unknown[]) => {
    isAtStart = true;
    return write(...values);
  };
  socket.read = (size?: number): Buffer | null => {
    let chunk: Buffer | null = read(size);
    while (isAtStart && chunk !== null) {
      const bytes: Buffer = held ? Buffer.concat([held, chunk]) : chunk;
      const final = afterInterim(bytes);
      held = final ? undefined : bytes;
      isAtStart = final === undefined;
      chunk = final ?? read(size);
    }
    return chunk;
  };
  return socket;
}

/** The bytes from the final response on; undefined while more bytes are needed to find it. */
function afterInterim(bytes: Buffer): Buffer | undefined {
  let at = 0;
  while (bytes.length >= at + statusEnd) {
    // 101 changes the protocol, which undici refuses.
    const isInterim =
      bytes[at + 9] === hundreds &&
      /^HTTP\/1\.\d 1(?!01)/.test(bytes.toString('latin1', at, at + statusEnd));
    const end = isInterim ? bytes.indexOf('\r\n\r\n', at) : -1;
    if (!isInterim || (end < 0 && bytes.length > at + longestHead)) return bytes.subarray(at);
    if (end < 0) return undefined;
    at = end + 4;
  }
  return undefined;
}
