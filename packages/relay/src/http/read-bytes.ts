import { ProblemResponseError } from './problems.ts';

/** Of the large bodies that this process reads at once, together. Strangers can send them, too. */
const mostHeld = 64 * 1024 * 1024;
/** A smaller one takes no more memory than its connection, so large ones never turn it away. */
const smallest = 16 * 1024;
let held = 0;

/**
 * Reads the raw body, up to the limit. Throws a 408 if the client goes away before its end, and a 503
 * while too many large ones are being read.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  const length = announced === null ? limit : Number(announced);
  if (length > limit) throw tooLarge(limit);
  const holds = length > smallest ? length : 0;
  if (held + holds > mostHeld) throw busy();
  held += holds;
  try {
    // Node reads no further than the announced length, so no stream is needed.
    return announced === null
      ? await readChunks(request, limit)
      : Buffer.from(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof ProblemResponseError) throw error;
    // No client reads the response. Its status is for metrics and log.
    throw new ProblemResponseError(
      408,
      'upload-aborted',
      'The connection closed before the end of the body.',
    );
  } finally {
    held -= holds;
  }
}

async function readChunks(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(limit: number): ProblemResponseError {
  return new ProblemResponseError(413, 'body-too-large', `The body is longer than ${limit} bytes.`);
}

function busy(): ProblemResponseError {
  return new ProblemResponseError(
    503,
    'unavailable',
    'The relay is reading too many large requests. Retry in 5 s.',
  );
}
