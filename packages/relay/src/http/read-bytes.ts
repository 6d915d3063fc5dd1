import { Refusal } from './refusal.ts';

/** The raw body, read no further than the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  if (announced !== null) {
    if (Number(announced) > limit) throw tooLarge(limit);
    // Node.js reads no further than what is announced, and this way takes no stream.
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

function tooLarge(limit: number): Refusal {
  return new Refusal(413, 'body-too-large', `The body is longer than ${limit} bytes.`);
}
