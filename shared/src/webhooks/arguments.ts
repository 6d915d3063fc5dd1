import {
  type WebhookFailureReason,
  WebhookVerificationError,
} from '../errors/webhook-verification-error.ts';

export function refusal(reason: WebhookFailureReason, message: string): WebhookVerificationError {
  return new WebhookVerificationError(reason, message);
}

/** A mistake in the receiver's own code, which another delivery would not fix. */
export function wrongArgument(message: string): WebhookVerificationError {
  return refusal('invalid_argument', message);
}

/** The body of a delivery as received: bytes (such as a Buffer), or their text. */
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
      'body is missing. Pass the raw body of the request; an empty body is an empty string.',
    );
  }
  throw wrongArgument(
    'body must be the raw bytes or text of the request, not a parsed object. If a JSON parser runs first, read the raw body before it: a parsed object no longer shows what was signed.',
  );
}

/** Throws WebhookVerificationError (`invalid_argument`); no message quotes a secret. */
export function checkSecrets(secrets: unknown): asserts secrets is readonly string[] {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw wrongArgument('secrets must be a list with at least one signing secret.');
  }
  for (const secret of secrets) checkSecret(secret, 'Each secret');
}

export function checkSecret(secret: unknown, name: string): asserts secret is string {
  if (typeof secret !== 'string' || secret.trim() === '') {
    throw wrongArgument(`${name} must be a signing secret: text that is not empty.`);
  }
}

export function hasOuterWhiteSpace(secret: string): boolean {
  return secret.trim() !== secret;
}
