import { wrongArgument } from './webhook-body.ts';

/** `#crypto` in browsers and workers, where only asynchronous functions can compute a hash. */
export function createHash(): never {
  throw wrongArgument(
    'eventKey needs node:crypto, which this runtime does not have. Use verifyRequest: it returns the key of the event.',
  );
}

export function createHmac(): never {
  throw wrongArgument(
    'Signatures of text and bytes need node:crypto, which this runtime does not have. Use verifyRequest for requests.',
  );
}

/** Compares an HMAC, so it is never called. */
export { createHmac as timingSafeEqual };
