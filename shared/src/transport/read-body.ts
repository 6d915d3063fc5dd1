import { TransportError } from '../errors/error-classes.ts';

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
    const chunks = new Chunks();
    body.on('data', (chunk) => {
      if (chunks.add(chunk)) return;
      reject(tooLarge(url));
      body.destroy();
    });
    let isWhole = false;
    body.on('end', () => {
      isWhole = true;
      resolve(chunks.joined);
    });
    body.on('error', reject);
    // An error for each response would cost a twentieth of a call.
    body.on('close', () => isWhole || reject(prematureClose()));
  });
}

/** A body that arrives in pieces. */
export class Chunks {
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
export function textOf(bytes: Uint8Array): string {
  utf8 ??= new TextDecoder();
  return utf8.decode(bytes);
}

/** The error of a stream that closes before it ends. */
export function prematureClose(): Error {
  return Object.assign(new Error('premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/** For transports: the error for a body larger than any the service needs. */
export function tooLarge(url: string): TransportError {
  const { host } = new URL(url);
  return unexpectedResponse(
    `${host} sent more than ${maxResponseBytes} bytes, more than any response of the service`,
  );
}

/** For transports: the error for a response that this service would never send. */
export function unexpectedResponse(summary: string): TransportError {
  return new TransportError(summary, {
    code: 'network_error',
    remedy: 'Check the base URL.',
    sent: 'maybe',
    isRetryable: false,
  });
}
