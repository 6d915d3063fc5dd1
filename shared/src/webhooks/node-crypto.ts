import { createHmac } from 'node:crypto';

/** `#crypto` in Node.js, Bun and Deno. */
export { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The HMAC-SHA-256 of two texts. */
export async function hmacSha256(key: string, text: string): Promise<Uint8Array> {
  return createHmac('sha256', key).update(text).digest();
}
