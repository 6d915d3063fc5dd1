import type { Socket } from 'node:net';

/** One behavior of a server, and what a transport must make of it. */
export interface Case {
  readonly name: string;
  /** What the server does once the head of the request has arrived. */
  readonly reply: Reply;
  /**
   * Status and body, or the code of the error and whether the request was sent. `final`: a retry
   * would not help.
   */
  readonly law: string;
  /** The response is never complete: the time of the attempt ends it. */
  readonly isEndless?: boolean;
}

/** A case and the address that shows it. */
export interface TableRow extends Pick<Case, 'name' | 'law' | 'isEndless'> {
  readonly url: string;
}

export type Reply = (socket: Socket) => void;

export const broken = 'network_error, sent: maybe';
export const refused = 'network_error, sent: maybe, final';
export const late = 'timeout, sent: maybe';

/** Sends these bytes, and closes the connection. */
export function says(...parts: readonly (string | Uint8Array)[]): Reply {
  return (socket) => socket.end(bytes(parts));
}

/** Sends these bytes, and keeps the connection open. */
export function stays(...parts: readonly (string | Uint8Array)[]): Reply {
  return (socket) => void socket.write(bytes(parts));
}

/** Sends these bytes, and breaks the connection off. */
export function resets(...parts: readonly (string | Uint8Array)[]): Reply {
  return (socket) => void socket.write(bytes(parts), () => socket.resetAndDestroy());
}

/** Sends these bytes one at a time; at the end the connection stays open. */
export function drips(text: string): Reply {
  return (socket) => {
    const rest = [...Buffer.from(text)];
    const next = (): void => {
      const byte = rest.shift();
      if (byte !== undefined && !socket.destroyed) socket.write(Buffer.from([byte]), next);
    };
    next();
  };
}

/** A whole response: the status line, headers, and a body with its length. */
export function response(
  status: string,
  body: string | Uint8Array,
  headers: readonly string[] = [],
): Buffer {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return bytes([head(status, ['content-type: application/json', length, ...headers]), body]);
}

/**
 * The status line and headers, in the bytes of Latin-1. No connection carries a second case.
 */
export function head(status: string, headers: readonly string[]): Buffer {
  const last = status.startsWith('1') ? [] : ['connection: close'];
  const lines = [`HTTP/1.1 ${status}`, ...headers, ...last];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function bytes(parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}
