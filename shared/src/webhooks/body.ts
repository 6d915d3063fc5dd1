import { wrongArgument } from './refusal.ts';

/** The body of a delivery as it came: bytes (a Buffer is one kind), or their text. */
export type WebhookBody = Uint8Array | string;

/** Also true for bytes of another realm, where `instanceof` fails. */
export function isRaw(value: unknown): value is WebhookBody {
  return typeof value === 'string' || ArrayBuffer.isView(value);
}

/** Throws WebhookVerificationError (`invalid_argument`) for anything that is not a raw body. */
export function checkBody(body: unknown): asserts body is WebhookBody {
  if (isRaw(body)) return;
  if (body === undefined || body === null) {
    throw wrongArgument(
      'body is missing. Hand over the raw body of the request; an empty one is an empty string.',
    );
  }
  throw wrongArgument(
    'body must be the raw bytes or text of the request, not something made from it. If a JSON parser ran before, read the raw body ahead of it: the parsed object no longer shows what was signed.',
  );
}
