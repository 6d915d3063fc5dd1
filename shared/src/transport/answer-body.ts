import { TransportError } from '../errors/transport-error.ts';

/** Bytes of an answer's body, unpacked: a hundred times the largest page, and no burden for a process. */
export const largestAnswer: number = 8 * 1024 * 1024;

/** Reads a body to its end, or stops and rejects with TransportError as soon as it is too large. */
export async function collected(
  body: AsyncIterable<Uint8Array>,
  url: string,
  maxBytes: number = largestAnswer,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(url, maxBytes);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

export function tooLarge(url: string, maxBytes: number = largestAnswer): TransportError {
  const { host } = new URL(url);
  return unwantedAnswer(
    `${host} sent more than ${maxBytes} bytes, which no answer of the service needs. Check the base URL.`,
  );
}

/** For transports: the answer is one that no service of this kind sends. */
export function unwantedAnswer(words: string): TransportError {
  return new TransportError(words, { code: 'network_error', sent: 'maybe', isRetryable: false });
}
