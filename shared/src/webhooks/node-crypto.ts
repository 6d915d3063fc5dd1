import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HmacInput, SignatureComparison } from './scheme.ts';

/** `#crypto` in Node.js, Bun and Deno. */
export { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Lower-case hex. */
export function hmacHex({ algorithm, key, content }: HmacInput): string {
  const hmac = createHmac(algorithm, key);
  for (const part of content) hmac.update(part);
  return hmac.digest('hex');
}

/** Whether one of the signatures is the HMAC. Compares in constant time. */
export function isAnySignatureValid(comparison: SignatureComparison): boolean {
  const expected = hmacHex(comparison);
  return comparison.given.some((one) => isSame(expected, one));
}

/** Made when it is first needed: a runtime that only sends requests may have none. */
let encoder: TextEncoder | undefined;

/** By length. Reused, since with new ones a small check takes a sixth longer. */
const arrays: Record<number, readonly [Uint8Array, Uint8Array]> = {};

/** Both arguments have the length of the algorithm. */
function isSame(expected: string, signature: string): boolean {
  const { length } = expected;
  arrays[length] ??= [new Uint8Array(length), new Uint8Array(length)];
  const [one, other] = arrays[length];
  encoder ??= new TextEncoder();
  encoder.encodeInto(expected, one);
  encoder.encodeInto(signature, other);
  return timingSafeEqual(one, other);
}

/** The HMAC-SHA-256 of two texts. */
export async function hmacSha256(key: string, text: string): Promise<Uint8Array> {
  return createHmac('sha256', key).update(text).digest();
}
