import { onAbort } from '../abort.ts';
import { TransportError } from '../errors/error-classes.ts';
import { timeoutFailure } from './network-failure.ts';
import type { TransportRequest, TransportResponse } from './transport.ts';

/** How `send` reports on a request that is under way. */
export interface SendProgress {
  /** Called once, at the end of an attempt that ends early, to close its connection. */
  onStop(close: () => void): void;
  /** The head of the response arrived. */
  onHead(head: ResponseHead): void;
}

/** A response without its body. */
type ResponseHead = Pick<TransportResponse, 'status' | 'headers'>;

/**
 * For transports: sends one request, and ends when its time is up or the caller aborts, whatever the
 * other side does. `send` resolves with the text of the body. From status 300 on, the status says
 * what happened, so a body that cannot be read counts as empty; so does one of length 0.
 * `isConnecting`: nothing was sent yet, as far as the transport can know.
 */
export function sendWithinTime(
  { url, timeoutMs, signal, onUnsent }: TransportRequest,
  failureOf: (error: unknown, url: string, wasConnecting: boolean) => unknown,
  send: (progress: SendProgress) => Promise<string>,
  isConnecting: () => boolean = () => false,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let head: ResponseHead | undefined;
    let close: (() => void) | undefined;
    let isOver = false;
    // A connection that was left behind may look like one that is being made.
    const isStillConnecting = (): boolean => !head && isConnecting();
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
      leave();
    };
    const fail = (error: unknown): void => {
      // The connection was closed below.
      if (isOver) return;
      end();
      const isEmpty = head?.headers['content-length'] === '0';
      if (head && (head.status >= 300 || isEmpty)) resolve({ ...head, body: '' });
      else reject(failureOf(error, url, isStillConnecting()));
    };
    const timer = setTimeout(() => {
      fail(timeoutFailure(url));
      close?.();
    }, timeoutMs);
    // The reason is the caller's: it may be anything, also null.
    const leave = onAbort(signal, () => {
      if (isStillConnecting()) onUnsent?.();
      end();
      reject(signal?.reason);
      close?.();
    });
    const progress: SendProgress = {
      onStop: (given) => {
        close = given;
      },
      onHead: (given) => {
        head = given;
      },
    };
    send(progress).then((body) => {
      end();
      // `send` resolves after the head has arrived.
      resolve({ ...(head as ResponseHead), body });
    }, fail);
  });
}

/** The requests to one origin. */
interface Line {
  running: number;
  /** First in, first out. */
  readonly waiting: Set<() => void>;
}

/** Requests that run at once to one origin. */
const most = 100;

/** Limits how many requests run at once to each origin: a service that hangs holds up no other. */
export class RequestQueue {
  readonly #lines = new Map<string, Line>();

  /** Sends a request when it is its turn; rejects with the signal's reason if it aborts before. */
  async run<Response>(
    { url, signal, onSend, onUnsent }: TransportRequest,
    send: (url: URL) => Promise<Response>,
  ): Promise<Response> {
    signal?.throwIfAborted();
    const target = new URL(url);
    const { origin } = target;
    const line = this.#lines.get(origin) ?? { running: 0, waiting: new Set() };
    this.#lines.set(origin, line);
    if (line.running < most) line.running += 1;
    else await turn(line, signal, onUnsent);
    try {
      onSend?.();
      return await send(target);
    } finally {
      const [next] = line.waiting;
      if (next) next();
      else line.running -= 1;
      if (line.running === 0) this.#lines.delete(origin);
    }
  }
}

/** Resolves when a request that has ended leaves its place to this one. */
function turn(
  { waiting }: Line,
  signal: AbortSignal | undefined,
  onUnsent: TransportRequest['onUnsent'],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      leave();
      waiting.delete(start);
    };
    const start = (): void => {
      settle();
      resolve();
    };
    const leave = onAbort(signal, () => {
      settle();
      onUnsent?.();
      reject(signal?.reason);
    });
    waiting.add(start);
  });
}

/** Largest response body in bytes, unpacked: 100 times the largest page, and light on memory. */
export const maxResponseBytes: number = 8 * 1024 * 1024;

/** The used part of a Node stream; an iterator over it would cost a tenth of a call. */
export interface ByteStream {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/** Reads a whole body. Stops and rejects with TransportError as soon as it is too large. */
export function readBody(body: ByteStream, url: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks = new BodyChunks();
    body.on('data', (chunk) => {
      if (chunks.add(chunk)) return;
      reject(responseTooLargeError(url));
      body.destroy();
    });
    let isWhole = false;
    body.on('end', () => {
      isWhole = true;
      resolve(chunks.joined);
    });
    body.on('error', reject);
    // An error for each response would cost a twentieth of a call.
    body.on('close', () => isWhole || reject(prematureCloseError()));
  });
}

/** A body that arrives in pieces. */
export class BodyChunks {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  get isTooLarge(): boolean {
    return this.#size > maxResponseBytes;
  }

  /** False when the body has become too large. */
  add(chunk: Uint8Array): boolean {
    this.#size += chunk.byteLength;
    this.#chunks.push(chunk);
    return !this.isTooLarge;
  }

  get joined(): Uint8Array {
    const [first] = this.#chunks;
    if (first?.byteLength === this.#size) return first;
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.byteLength;
    }
    return bytes;
  }
}

let utf8: TextDecoder | undefined;

/** The text of a body. The decoder is made at its first use: not every runtime has it at import. */
export function decodeBody(bytes: Uint8Array): string {
  utf8 ??= new TextDecoder();
  return utf8.decode(bytes);
}

/** The error of a stream that closes before it ends. */
export function prematureCloseError(): Error {
  return Object.assign(new Error('premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/** For transports: the error for a body larger than any the service needs. */
export function responseTooLargeError(url: string): TransportError {
  const { host } = new URL(url);
  return unexpectedResponseError(
    `${host} sent more than ${maxResponseBytes} bytes, more than any response of the service`,
  );
}

/** For transports: the error for a response that this service would never send. */
export function unexpectedResponseError(summary: string): TransportError {
  return new TransportError(summary, {
    code: 'network_error',
    remedy: 'Check the base URL.',
    sent: 'maybe',
    isRetryable: false,
  });
}
