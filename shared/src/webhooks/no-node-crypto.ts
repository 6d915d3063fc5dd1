import { invalidArgumentError } from './delivery.ts';

/** `#crypto` in browsers and workers, where only asynchronous functions can compute a hash. */
export function createHash(): never {
  throw invalidArgumentError(
    'This runtime has no node:crypto. Use verifyRequest, which returns the key of the event.',
  );
}

export function createHmac(): never {
  throw invalidArgumentError('This runtime has no node:crypto. Use verifyRequest for requests.');
}

export { createHmac as hmacHex, createHmac as isAnySignatureValid, createHmac as timingSafeEqual };

/** The HMAC-SHA-256 of two texts. */
export async function hmacSha256(key: string, text: string): Promise<Uint8Array> {
  const bytes = (part: string) => new TextEncoder().encode(part);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', bytes(key), hmac, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes(text)));
}
