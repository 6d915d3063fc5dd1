import { wrongArgument } from './webhook-body.ts';

/** `#crypto` in browsers and workers, where only asynchronous functions can compute a hash. */
export function createHash(): never {
  throw wrongArgument(
    'This runtime has no node:crypto. Use verifyRequest, which returns the key of the event.',
  );
}

export function createHmac(): never {
  throw wrongArgument('This runtime has no node:crypto. Use verifyRequest for requests.');
}

/** Compares an HMAC, so it is never called. */
export { createHmac as timingSafeEqual };
