import { isAnySignatureValid } from '#crypto';
import { joinSentences } from '../errors/screen-advertising-error.ts';
import {
  checkOptionNames,
  checkRawBody,
  invalidArgumentError,
  type RawBody,
  trimmedBody,
  type WebhookBody,
  WebhookVerificationError,
} from './delivery.ts';
import {
  algorithmByHexLength,
  assumedScheme,
  checkScheme,
  type DeliveryScheme,
  hmacKeyOf,
  type SchemeWithDefaults,
  type SignatureAlgorithm,
  type SignatureComparison,
  type SignatureScheme,
  signedContentOf,
  signedContents,
  signingKeyForms,
} from './scheme.ts';
import {
  checkSecret,
  type DeliveryHeaders,
  parseSignatureHeader,
  type SignatureHeader,
  signatureHeaderValues,
} from './signature.ts';

import { parseEvent, type WebhookEvent } from './webhook-event.ts';

/**
 * Seconds. The last retry arrives 756 s after the first attempt (section 6) and may carry its
 * timestamp, so a much lower value would refuse valid deliveries.
 */
export const defaultToleranceSeconds = 900;

/** Whose deliveries to accept, and how old they may be. */
export interface VerificationOptions {
  /** Every currently valid secret; two during a rotation. */
  readonly secrets: readonly string[];
  /** Seconds that a timestamp may differ from now, in either direction. Default: 900. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970-01-01T00:00:00Z. Default: the machine's time. */
  readonly now?: (() => number) | undefined;
  /** The only scheme to accept. Default: every known one. */
  readonly scheme?: SignatureScheme | undefined;
}

/** The names of `VerificationOptions`. */
export const verificationOptions = ['secrets', 'toleranceSeconds', 'now', 'scheme'] as const;

interface VerifySignatureOptions extends VerificationOptions {
  /** Raw, as received. Bytes are safest, since decoding can lose what was signed. */
  readonly body: WebhookBody;
  /** Value of the header `X-Service-Signature`. */
  readonly signature?: string | readonly string[] | null | undefined;
  /** Instead of `signature`: all headers, with names in any case. */
  readonly headers?: DeliveryHeaders | null | undefined;
}

const signatureOptions = ['body', 'signature', 'headers', ...verificationOptions];

/**
 * Returns the scheme in which one of the secrets signed this body (section 6). Otherwise, for any
 * input, throws WebhookVerificationError with its `reason`. The body is not decoded.
 */
export function verifySignature(options: VerifySignatureOptions): DeliveryScheme {
  checkOptionNames(options, 'verifySignature', signatureOptions);
  const { headers, signature: given = headers && signatureHeaderValues(headers) } = options;
  // First: of a request without a body, the body may be undefined.
  const signature = readSignature(given, options);
  const body = checkRawBody(options.body);
  const attempts = findScheme(signature, body, options.secrets);
  let attempt = attempts.next();
  while (!attempt.done) {
    const comparison = comparisonOf(attempt.value, signature, body);
    attempt = attempts.next(comparison !== undefined && isAnySignatureValid(comparison));
  }
  return requireAcceptedScheme(attempt.value, body, options.secrets);
}

/** Throws WebhookVerificationError for what `findScheme` returns when no scheme fits. */
export function requireAcceptedScheme(
  found: SchemeWithDefaults | string,
  body: RawBody,
  secrets: readonly string[],
): DeliveryScheme {
  if (typeof found === 'string') throw signatureMismatchError(body, secrets, found);
  if (isLossyText(body)) throw signatureMismatchError(body, secrets);
  return { ...found, signedContent: `${found.signedContent}` };
}

/** Reads the header. Throws WebhookVerificationError unless only the HMAC remains to be compared. */
export function readSignature(header: unknown, options: VerificationOptions): FreshSignature {
  checkSecrets(options.secrets);
  const pinned = options.scheme === undefined ? undefined : checkScheme(options.scheme);
  const { timestamp, signatures } = parseSignatureHeader(header);
  const nowMs = checkSignatureAge(Number(timestamp), options);
  return { timestamp, signatures, nowMs, pinned };
}

/** Throws WebhookVerificationError (`invalid_argument`). */
export function checkSecrets(secrets: unknown): void {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw invalidArgumentError('secrets must be a list with at least one signing secret.');
  }
  for (const secret of secrets) checkSecret(secret, 'Each secret');
}

/** Returns now in milliseconds. Throws WebhookVerificationError for a time too far from it. */
export function checkSignatureAge(
  timestamp: number,
  {
    toleranceSeconds = defaultToleranceSeconds,
    now = Date.now,
  }: Pick<VerificationOptions, 'toleranceSeconds' | 'now'>,
): number {
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw invalidArgumentError('toleranceSeconds must be a number of seconds, 0 or more.');
  }
  const nowMs = typeof now === 'function' ? now() : Number.NaN;
  if (!Number.isFinite(nowMs)) {
    throw invalidArgumentError('now must be a function that returns milliseconds since 1970.');
  }
  const age = Math.floor(nowMs / 1000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return nowMs;
  throw new WebhookVerificationError(
    'timestamp_out_of_tolerance',
    `The delivery was signed ${Math.abs(age)} s in the ${age > 0 ? 'past' : 'future'}, but the tolerance is ${toleranceSeconds} s. If it is not a replay, check the clock of this machine.`,
  );
}

/** Half of a surrogate pair is signed like the replacement character: two texts would pass. */
export function isLossyText(body: RawBody): boolean {
  return typeof body === 'string' && !body.isWellFormed();
}

/** JSON objects in base64 start so: `{"`, or white space before it. */
const base64 = /^e[yw][\w+/-]+={0,2}$/;

/** The error for a delivery that none of the secrets signed, with what may have caused it. */
export function signatureMismatchError(
  body: RawBody,
  secrets: readonly string[],
  found = noneFits,
): WebhookVerificationError {
  const text = typeof body === 'string' ? body : '';
  const texts = [
    found,
    secrets.some((secret) => secret.trim() !== secret) &&
      'A secret starts or ends with white space: paste it again without it',
    (isLossyText(body) || text.includes('\uFFFD')) &&
      'Decoding changed the body: pass bytes instead of text',
    base64.test(text) && 'The body is still in base64: decode it first',
    'Check that the secret belongs to this access and that nothing changed the body',
  ];
  return new WebhookVerificationError('signature_mismatch', joinSentences(texts));
}

/** An event whose signature was checked. */
export type VerifiedEvent = WebhookEvent & {
  /** How its delivery was signed. */
  readonly scheme: DeliveryScheme;
};

/** Checks the signature, then reads the event. Throws WebhookVerificationError. */
export function verifyWebhook(options: VerifySignatureOptions): VerifiedEvent {
  const scheme = verifySignature(options);
  return { ...parseEvent(options.body), scheme };
}

/** A scheme and a secret that may have signed a delivery. */
export interface SignatureCandidate {
  readonly scheme: SchemeWithDefaults;
  readonly secret: string;
}

/** A header whose time is near. */
export interface FreshSignature extends SignatureHeader {
  readonly nowMs: number;
  /** The only scheme to accept; undefined for every known one. */
  readonly pinned: SchemeWithDefaults | undefined;
}

const noneFits = 'The signature matches none of the signing secrets';

const maxSearched = 256 * 1024;
const maxSearches = 20;
/** Milliseconds since 1970 of the latest searches without a result. */
let searches: number[] = [];

/**
 * The scheme, other than the first one, in which each secret last signed a delivery. Only a delivery
 * that a secret signed adds one, so the map holds at most one for each secret of the program.
 */
const lastFitting = new Map<string, DeliveryScheme>();

/**
 * Yields what may have signed a delivery, the most likely first, and takes whether it did.
 * Returns the scheme, or the error text when none fits. docs/decisions/0004-webhooks-fail-closed.md
 * explains why it is safe to accept every known scheme. The bounds are for the whole process, whose
 * processor forged deliveries would otherwise use up.
 */
export function* findScheme(
  { signatures, nowMs, pinned }: FreshSignature,
  body: RawBody,
  secrets: readonly string[],
): Generator<SignatureCandidate, SchemeWithDefaults | string, boolean> {
  const usual = pinned ?? assumedScheme;
  for (const secret of secrets) if (yield { scheme: usual, secret }) return usual;
  if (pinned || !isBraced(body)) return noneFits;
  for (const secret of secrets) {
    const scheme = lastFitting.get(secret);
    if (scheme && (yield { scheme, secret })) return scheme;
  }
  searches = searches.filter((at) => Math.abs(nowMs - at) < 1000);
  if (body.length > maxSearched || searches.length >= maxSearches) {
    return `${noneFits}. Not every scheme was tried: the body is over 256 KiB, or too many deliveries were refused`;
  }
  searches.push(nowMs);
  const algorithm = algorithmByHexLength[signatures[0].length] as SignatureAlgorithm;
  for (const signedContent of signedContents) {
    for (const secret of secrets) {
      for (const key of signingKeyForms) {
        const scheme = { algorithm, signedContent, key };
        if (!(yield { scheme, secret })) continue;
        // A forger never gets here, so only searches that find nothing count.
        searches.pop();
        lastFitting.set(secret, scheme);
        return scheme;
      }
    }
  }
  return `${noneFits}, in any known scheme`;
}

/** The comparison that decides; undefined when the secret or the header rules the scheme out. */
export function comparisonOf(
  { scheme, secret }: SignatureCandidate,
  { timestamp, signatures }: FreshSignature,
  body: RawBody,
): SignatureComparison | undefined {
  const { algorithm, signedContent } = scheme;
  const given = signatures.filter(({ length }) => algorithmByHexLength[length] === algorithm);
  const key = given.length > 0 && hmacKeyOf(secret, scheme.key);
  return key
    ? { algorithm, key, content: signedContentOf(signedContent, timestamp, body), given }
    : undefined;
}

/**
 * The first brace of what is signed then starts the object, and the last one ends it. So what one
 * scheme signs is never what another one would sign for a different time or object.
 */
function isBraced(body: RawBody): boolean {
  const object = trimmedBody(body);
  // Text has characters, and bytes have their codes.
  return ['{}', '123125'].includes(`${object.at(0)}${object.at(-1)}`);
}
