import type { Readable } from 'node:stream';

/** The start of a body from another server. */
export interface BodyStart {
  readonly bytes: Buffer;
  /** Whether the body has more, or was cut off. */
  readonly isCut: boolean;
}

export const longestStart = 4 * 1024;
/** A body up to this length is read to its end, so that the connection can be reused. */
const mostRead = 64 * 1024;

/** Keeps the first 4 KiB. Always resolves; a body that is long, or ends with an error, is cut. */
export function readStart(body: Readable): Promise<BodyStart> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (isWhole: boolean) => {
      const bytes = Buffer.concat(chunks);
      resolve({ bytes: bytes.subarray(0, longestStart), isCut: !isWhole || size > longestStart });
    };
    body.on('data', (chunk: Buffer) => {
      if (size < longestStart) chunks.push(chunk);
      size += chunk.length;
      if (size > mostRead) body.destroy();
    });
    body.on('end', () => end(true));
    body.on('error', () => end(false));
    body.on('close', () => end(false));
  });
}
