import { ProblemResponseError } from './problems.ts';

/** Reads the raw body, up to the limit. Throws a 408 if the client goes away before its end. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  try {
    return await readAll(request, limit);
  } catch (error) {
    if (error instanceof ProblemResponseError) throw error;
    // No client reads the response. Its status is for metrics and log.
    throw new ProblemResponseError(
      408,
      'upload-aborted',
      'The connection closed before the end of the body.',
    );
  }
}

async function readAll(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  if (announced !== null) {
    if (Number(announced) > limit) throw tooLarge(limit);
    // Node reads no further than the announced length, so no stream is needed.
    return Buffer.from(await request.arrayBuffer());
  }
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
