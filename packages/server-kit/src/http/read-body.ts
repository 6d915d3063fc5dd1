/** What can be wrong with a body before anyone reads it. */
type BodyProblem = 'body-too-large' | 'upload-aborted';

/** The problem responses of a server, which have these two kinds. */
type Problem = new (kind: BodyProblem, detail: string) => Error;

/** Reads the raw body, up to the limit. Throws one of the two problems. */
export async function readBody(
  request: Request,
  limit: number,
  Problem: Problem,
): Promise<Uint8Array> {
  try {
    return await readAll(request, limit, Problem);
  } catch (error) {
    if (error instanceof Problem) throw error;
    // No client reads the response. Its status is for metrics and log.
    throw new Problem('upload-aborted', 'The connection closed before the end of the body.');
  }
}

async function readAll(request: Request, limit: number, Problem: Problem): Promise<Uint8Array> {
  const tooLarge = () => new Problem('body-too-large', `The body is longer than ${limit} bytes.`);
  const announced = request.headers.get('content-length');
  if (announced !== null) {
    if (Number(announced) > limit) throw tooLarge();
    // Node reads no further than the announced length, so no stream is needed.
    return Buffer.from(await request.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
