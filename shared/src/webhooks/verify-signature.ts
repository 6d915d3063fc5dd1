import { timingSafeEqual } from '#crypto';
import { WebhookVerificationError } from '../errors/webhook-verification-error.ts';
import { isRecord } from '../json.ts';
import { parseEvent } from './parse-event.ts';
import {
  type CheckedScheme,
  checkScheme,
  checkSecret,
  hmacHex,
  parseSignatureHeader,
  type SignatureScheme,
} from './signature.ts';
import { type RawBody, rawBody, type WebhookBody, wrongArgument } from './webhook-body.ts';
import type { WebhookEvent } from './webhook-event.ts';

/**
 * Seconds. The last retry arrives 756 s after the first attempt (section 6) and may carry its
 * timestamp, so a much lower value would refuse valid deliveries.
 */
export const defaultToleranceSeconds = 900;

/** Whose deliveries to accept, and how old they may be. */
export interface VerificationOptions extends SignatureScheme {
  /** Every currently valid secret; two during a rotation. */
  readonly secrets: readonly string[];
  /** Seconds that a timestamp may differ from now, in either direction. Default: 900. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970-01-01T00:00:00Z. Default: the machine's time. */
  readonly now?: (() => number) | undefined;
}

interface VerifySignatureOptions extends VerificationOptions {
  /** Raw, as received. Bytes are safest, since decoding can lose what was signed. */
  readonly body: WebhookBody;
  /** Value of the header `X-Service-Signature`. */
  readonly signature: string | readonly string[] | null | undefined;
}

/**
 * Returns when one of the secrets signed this body (section 6). Otherwise, for any input, throws
 * WebhookVerificationError with its `reason`. The body is not decoded.
 */
export function verifySignature(options: VerifySignatureOptions): void {
  if (!isRecord(options)) throw wrongArgument('verifySignature needs an object of options.');
  const body = rawBody(options.body);
  const { secrets } = options;
  const { algorithm, contentOf, timestamp, signatures } = readSignature(options.signature, options);
  const content = contentOf(timestamp, body);
  const isSigned = secrets.some((secret) => {
    const expected = hmacHex(algorithm, secret, content);
    return signatures.some((signature) => isSame(expected, signature));
  });
  if (!isSigned || isLossyText(body)) throw mismatch(body, secrets);
}

export interface FreshSignature extends CheckedScheme {
  /** The text of `t`. */
  readonly timestamp: string;
  readonly signatures: readonly string[];
}

/** Reads the header. Throws WebhookVerificationError unless only the HMAC remains to be compared. */
export function readSignature(header: unknown, options: VerificationOptions): FreshSignature {
  checkSecrets(options.secrets);
  const scheme = checkScheme(options);
  const { timestamp, signatures } = parseSignatureHeader(header, scheme.hexLength);
  checkAge(Number(timestamp), options);
  return { ...scheme, timestamp, signatures };
}

/** Throws WebhookVerificationError (`invalid_argument`). */
export function checkSecrets(secrets: unknown): void {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw wrongArgument('secrets must be a list with at least one signing secret.');
  }
  for (const secret of secrets) checkSecret(secret, 'Each secret');
}

/** Throws WebhookVerificationError for a time that is too far from now. */
export function checkAge(
  timestamp: number,
  {
    toleranceSeconds = defaultToleranceSeconds,
    now = Date.now,
  }: Pick<VerificationOptions, 'toleranceSeconds' | 'now'>,
): void {
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw wrongArgument('toleranceSeconds must be a number of seconds, 0 or more.');
  }
  const nowMs: unknown = typeof now === 'function' ? now() : undefined;
  if (typeof nowMs !== 'number' || !Number.isFinite(nowMs)) {
    throw wrongArgument('now must be a function that returns milliseconds since 1970.');
  }
  const age = Math.floor(nowMs / 1000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return;
  const distance = `${Math.abs(age)} s in the ${age > 0 ? 'past' : 'future'}`;
  throw new WebhookVerificationError(
    'timestamp_out_of_tolerance',
    `The delivery was signed ${distance}, but the tolerance is ${toleranceSeconds} s. If it is not a replay, check the clock of this machine.`,
  );
}

const encoder = new TextEncoder();

/** Two arrays for each signature length: reused, since new ones cost a tenth of a small check. */
const arrays = new Map<number, readonly [Uint8Array, Uint8Array]>();

/** Both arguments have the length that the scheme defines. */
function isSame(expected: string, signature: string): boolean {
  const [left, right] = arraysOf(expected.length);
  encoder.encodeInto(expected, left);
  encoder.encodeInto(signature, right);
  return timingSafeEqual(left, right);
}

function arraysOf(length: number): readonly [Uint8Array, Uint8Array] {
  const known = arrays.get(length);
  if (known) return known;
  const pair = [new Uint8Array(length), new Uint8Array(length)] as const;
  arrays.set(length, pair);
  return pair;
}

/** Half of a surrogate pair is signed like the replacement character: two texts would pass. */
export function isLossyText(body: RawBody): boolean {
  return typeof body === 'string' && /\p{Surrogate}/u.test(body);
}

/** JSON objects in base64 start so: `{"`, or white space before it. */
const base64 = /^(?:ey|ew)[\w+/-]+={0,2}$/;

/** The error for a delivery that none of the secrets signed, with what may have caused it. */
export function mismatch(body: RawBody, secrets: readonly string[]): WebhookVerificationError {
  const sentences = ['The signature matches none of the signing secrets.'];
  if (secrets.some((secret) => secret.trim() !== secret)) {
    sentences.push('A secret starts or ends with white space: paste it again without it.');
  }
  if (typeof body === 'string' && /[\uFFFD\p{Surrogate}]/u.test(body)) {
    sentences.push('Decoding changed the body: pass its bytes instead of text.');
  }
  if (typeof body === 'string' && base64.test(body)) {
    sentences.push('The body is still in base64: decode it first.');
  }
  sentences.push('Check that the secret belongs to this access and that nothing changed the body.');
  return new WebhookVerificationError('signature_mismatch', sentences.join(' '));
}

/** Checks the signature, then reads the event. Throws WebhookVerificationError. */
export function verifyWebhook(options: VerifySignatureOptions): WebhookEvent {
  verifySignature(options);
  return parseEvent(options.body);
}
