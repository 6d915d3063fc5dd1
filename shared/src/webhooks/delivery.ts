import {
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from '../errors/screen-advertising-error.ts';
import { isRecord } from '../json.ts';

/**
 * Why a delivery was refused:
 * - `missing_signature`: the header is missing.
 * - `malformed_signature`: the header is not `t=<digits>,v1=<hex>`, or is too long.
 * - `timestamp_out_of_tolerance`: signed too long ago, or too far in the future.
 * - `signature_mismatch`: none of the secrets signed this body.
 * - `malformed_body`: correctly signed, but not a JSON object; or too large to be an event.
 * - `invalid_argument`: a mistake in the receiver's code, such as no secret or a body already
 *   parsed.
 */
export type WebhookFailureReason =
  | 'missing_signature'
  | 'malformed_signature'
  | 'timestamp_out_of_tolerance'
  | 'signature_mismatch'
  | 'malformed_body'
  | 'invalid_argument';

/** A delivery that must not be trusted. */
export class WebhookVerificationError extends ScreenAdvertisingError {
  static override readonly errorName = 'WebhookVerificationError';
  static override readonly isInstance: IsInstance<WebhookVerificationError> = isInstanceOf(
    'WebhookVerificationError',
  );
  /** Why the delivery was refused, as a word to compare. */
  declare readonly reason: WebhookFailureReason;

  constructor(reason: WebhookFailureReason, message: string) {
    super('webhook_verification_failed', message);
    this.reason = reason;
  }
}

/** A mistake in the receiver's own code, which another delivery would not fix. */
export function invalidArgumentError(message: string): WebhookVerificationError {
  return new WebhookVerificationError('invalid_argument', message);
}

/** Refuses options that do not exist, such as `tolerance` for `toleranceSeconds`. */
export function checkOptionNames(options: unknown, owner: string, names: readonly string[]): void {
  if (!isRecord(options)) throw invalidArgumentError(`${owner} needs an object of options.`);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw invalidArgumentError(`${owner} has no option ${unknown}, only ${names.join(', ')}.`);
}

export type RawBody = Uint8Array | string;

/** The body of a delivery as received: bytes (a Buffer, an ArrayBuffer), or their text. */
export type WebhookBody = RawBody | ArrayBuffer;

/** Also true for bytes of another realm, where `instanceof` fails. */
export function isRawBody(value: unknown): value is RawBody {
  return typeof value === 'string' || ArrayBuffer.isView(value);
}

/** White space of JSON, which may surround an object without changing what it means. */
const spaces: readonly unknown[] = [' ', '\n', '\r', '\t', 0x20, 0x0a, 0x0d, 0x09];

/** A body without white space around it. Go's encoder, for one, ends each with a line feed. */
export function trimmedBody(body: RawBody): RawBody {
  let [start, end] = [0, body.length];
  while (spaces.includes(body.at(start))) start += 1;
  while (start < end && spaces.includes(body.at(end - 1))) end -= 1;
  return body.slice(start, end);
}

/** Throws WebhookVerificationError (`invalid_argument`) for anything that is not a raw body. */
export function checkRawBody(body: unknown): RawBody {
  if (isRawBody(body)) return body;
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') {
    return new Uint8Array(body as ArrayBuffer);
  }
  throw invalidArgumentError(
    "body must be the raw bytes or text of the request, read before a JSON parser runs. If it is empty, pass ''.",
  );
}
