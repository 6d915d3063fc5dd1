import { readBody } from '@screen-advertising/server-kit';
import { ProblemResponseError } from './problems.ts';

/** Of the large bodies that this process has received and not finished reading. Strangers can send them, too. */
const maxHeld = 64 * 1024 * 1024;
/** A smaller one takes no more memory than its connection. */
const smallest = 16 * 1024;

/** How to end each large one that is being read, the oldest first. */
const readings = new Set<() => void>();
let held = 0;

/**
 * Reads the raw body, up to the limit. What counts is what was received, not what a request announces.
 * When all large ones together are too much, the one that takes longest ends with a 503: a sender that
 * holds back the rest delays no honest one.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  const isLarge = announced === null || Number(announced) > smallest;
  if (!isLarge || Number(announced) > limit || !request.body) {
    return readBody(request, limit, ProblemResponseError);
  }
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let received = 0;
  const tooMany = Promise.withResolvers<never>();
  tooMany.promise.catch(() => undefined);
  const end = () => {
    if (!readings.delete(end)) return;
    held -= received;
    void reader.cancel().catch(() => undefined);
    tooMany.reject(busy());
  };
  readings.add(end);
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), tooMany.promise]);
      if (done) return Buffer.concat(chunks);
      chunks.push(value);
      received += value.length;
      held += value.length;
      if (received > limit) {
        throw new ProblemResponseError('body-too-large', `The body is longer than ${limit} bytes.`);
      }
      if (held > maxHeld) [...readings][0]?.();
    }
  } catch (error) {
    if (error instanceof ProblemResponseError) throw error;
    const detail = 'The connection closed before the end of the body.';
    throw new ProblemResponseError('upload-aborted', detail);
  } finally {
    if (readings.delete(end)) held -= received;
  }
}

function busy(): ProblemResponseError {
  return new ProblemResponseError(
    'unavailable',
    'The relay is reading too many large requests. Retry in 5 s.',
  );
}
