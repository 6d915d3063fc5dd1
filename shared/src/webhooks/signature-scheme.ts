import { createHmac } from '#crypto';
import { isRecord } from '../json.ts';
import { isRaw, type RawBody, rawBody, type WebhookBody, wrongArgument } from './webhook-body.ts';

/**
 * How deliveries are signed. The contract does not show it (section 6), so both parts are
 * configurable; see `signatureScheme` in the assumptions.
 */
export interface SignatureScheme {
  /** Hash of the HMAC. Default: sha256. */
  readonly algorithm?: SignatureAlgorithm | undefined;
  /** The parts that are signed, in order. Default: `t`, a dot and the raw body. */
  readonly signedContent?: SignedContent | undefined;
}

/** The hash of the HMAC in a signature. */
export type SignatureAlgorithm = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** `timestamp` is the text of `t`, exactly as in the header. */
export type SignedContent = (timestamp: string, body: RawBody) => readonly RawBody[];

const hexLengths = { sha1: 40, sha256: 64, sha384: 96, sha512: 128 } as const;

const timestampAndBody: SignedContent = (timestamp, body) => [`${timestamp}.`, body];

export interface CheckedScheme {
  readonly algorithm: SignatureAlgorithm;
  /** Number of hex digits of a signature. */
  readonly hexLength: number;
  /** What is signed. Throws WebhookVerificationError (`invalid_argument`). */
  contentOf(timestamp: string, body: RawBody): readonly RawBody[];
}

/** Throws WebhookVerificationError (`invalid_argument`) for a scheme that cannot be computed. */
export function checkScheme({
  algorithm = 'sha256',
  signedContent = timestampAndBody,
}: SignatureScheme): CheckedScheme {
  if (typeof algorithm !== 'string' || !Object.hasOwn(hexLengths, algorithm)) {
    throw wrongArgument(`algorithm must be one of ${Object.keys(hexLengths).join(', ')}.`);
  }
  if (typeof signedContent !== 'function') {
    throw wrongArgument('signedContent must be a function that returns the signed parts.');
  }
  return {
    algorithm,
    hexLength: hexLengths[algorithm],
    contentOf(timestamp, body) {
      const parts: unknown = signedContent(timestamp, body);
      if (Array.isArray(parts) && parts.every(isRaw)) return parts;
      throw wrongArgument('signedContent must return a list of strings or bytes.');
    },
  };
}

/** Lower-case hex. */
export function hmacHex(
  algorithm: SignatureAlgorithm,
  secret: string,
  content: readonly RawBody[],
): string {
  const hmac = createHmac(algorithm, secret);
  for (const part of content) hmac.update(part);
  return hmac.digest('hex');
}

/** No message quotes a secret. */
export function checkSecret(secret: unknown, name: string): asserts secret is string {
  if (typeof secret !== 'string' || secret.trim() === '') {
    throw wrongArgument(`${name} must be a signing secret: text that is not empty.`);
  }
}

export interface SignWebhookOptions extends SignatureScheme {
  readonly body: WebhookBody;
  readonly secret: string;
  /** Whole seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number;
}

/** Later than the year 5000: the caller passed milliseconds. */
const maxSeconds = 99_999_999_999;

/** Value of the header `X-Service-Signature` as the service sends it (section 6). */
export function signWebhook(options: SignWebhookOptions): string {
  if (!isRecord(options)) throw wrongArgument('signWebhook needs an object of options.');
  const { secret, timestamp } = options;
  const body = rawBody(options.body);
  checkSecret(secret, 'secret');
  if (!Number.isSafeInteger(timestamp) || timestamp < 0 || timestamp > maxSeconds) {
    throw wrongArgument('timestamp must be whole seconds since 1970, not milliseconds.');
  }
  const { algorithm, contentOf } = checkScheme(options);
  const content = contentOf(String(timestamp), body);
  return `t=${timestamp},v1=${hmacHex(algorithm, secret, content)}`;
}
