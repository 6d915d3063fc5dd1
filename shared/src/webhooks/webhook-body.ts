import { WebhookVerificationError } from '../errors/webhook-verification-error.ts';
import { isRecord } from '../json.ts';

/** A mistake in the receiver's own code, which another delivery would not fix. */
export function wrongArgument(message: string): WebhookVerificationError {
  return new WebhookVerificationError('invalid_argument', message);
}

/** Refuses options that do not exist, such as `tolerance` for `toleranceSeconds`. */
export function checkOptions(options: unknown, owner: string, names: readonly string[]): void {
  if (!isRecord(options)) throw wrongArgument(`${owner} needs an object of options.`);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw wrongArgument(`${owner} has no option ${unknown}, only ${names.join(', ')}.`);
}

export type RawBody = Uint8Array | string;

/** The body of a delivery as received: bytes (a Buffer, an ArrayBuffer), or their text. */
export type WebhookBody = RawBody | ArrayBuffer;

/** Also true for bytes of another realm, where `instanceof` fails. */
export function isRaw(value: unknown): value is RawBody {
  return typeof value === 'string' || ArrayBuffer.isView(value);
}

/** White space of JSON, which may surround an object without changing what it means. */
const isSpace = (code: number | undefined): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** A body without white space around it. Go's encoder, for one, ends each with a line feed. */
export function trimmedBody(body: RawBody): RawBody {
  const at = (place: number) => (typeof body === 'string' ? body.charCodeAt(place) : body[place]);
  let [start, end] = [0, body.length];
  while (start < end && isSpace(at(start))) start += 1;
  while (start < end && isSpace(at(end - 1))) end -= 1;
  if (start === 0 && end === body.length) return body;
  return typeof body === 'string' ? body.slice(start, end) : body.subarray(start, end);
}

/** Throws WebhookVerificationError (`invalid_argument`) for anything that is not a raw body. */
export function rawBody(body: unknown): RawBody {
  if (isRaw(body)) return body;
  if (body === undefined || body === null) {
    throw wrongArgument(
      'body is missing. Pass the raw body of the request; if it is empty, an empty string.',
    );
  }
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') {
    return new Uint8Array(body as ArrayBuffer);
  }
  throw wrongArgument(
    'body must be the raw bytes or text of the request, not a parsed object. If a JSON parser runs first, read the raw body before it.',
  );
}
