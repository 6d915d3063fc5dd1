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
export function readBody(
  body: ByteStream,
  url: string,
  maxBytes: number = maxResponseBytes,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    body.on('data', (chunk) => {
      size += chunk.byteLength;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      reject(tooLarge(url, maxBytes));
      body.destroy();
    });
    let isWhole = false;
    body.on('end', () => {
      isWhole = true;
      resolve(joinBytes(chunks, size));
    });
    body.on('error', reject);
    body.on('close', () => {
      if (!isWhole) reject(cutOff());
    });
  });
}

/** A single chunk is returned as it is. */
export function joinBytes(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first?.byteLength === size) return first;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function cutOff(): Error {
  return Object.assign(new Error('premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/** For transports: the error for a body larger than any the service needs. */
export function tooLarge(url: string, maxBytes: number = maxResponseBytes): TransportError {
  const { host } = new URL(url);
  return unexpectedResponse(
    `${host} sent more than ${maxBytes} bytes, more than any response of the service`,
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
