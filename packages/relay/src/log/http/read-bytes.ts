import { readBody } from '@screen-advertising/server-kit';
import { ProblemResponseError } from './problems.ts';

/** Of the large bodies that this process reads at once, together. Strangers can send them, too. */
const maxHeld = 64 * 1024 * 1024;
/** A smaller one takes no more memory than its connection, so large ones never turn it away. */
const smallest = 16 * 1024;
let held = 0;

/** Reads the raw body, up to the limit. Throws a 503 while too many large ones are being read. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? limit);
  const holds = announced > smallest && announced <= limit ? announced : 0;
  if (held + holds > maxHeld) throw busy();
  held += holds;
  try {
    return await readBody(request, limit, ProblemResponseError);
  } finally {
    held -= holds;
  }
}

function busy(): ProblemResponseError {
  return new ProblemResponseError(
    'unavailable',
    'The relay is reading too many large requests. Retry in 5 s.',
  );
}
