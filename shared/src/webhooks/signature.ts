import { createHmac } from '#crypto';
import { WebhookVerificationError } from '../errors/webhook-verification-error.ts';
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
type SignedContent = (timestamp: string, body: RawBody) => readonly RawBody[];

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

interface SignWebhookOptions extends SignatureScheme {
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

/** Name of the header that carries the signature, in lower case (section 6). */
export const signatureHeaderName = 'x-service-signature';

interface SignatureHeader {
  /** The digits exactly as in the header, because they are part of what is signed. */
  readonly timestamp: string;
  /** Every `v1` that can be a signature, in lower case. */
  readonly signatures: readonly string[];
}

/** A sender in the middle of a rotation needs two; beyond these limits a header only costs time. */
const maxLength = 4096;
const maxSignatures = 16;

/** Fifteen digits are exact as a number. */
const digits = /^\d{1,15}$/;
const hex = /^[0-9a-fA-F]+$/;

const lowerHex = /^[0-9a-f]+$/;

/**
 * Reads `t=<unix seconds>,v1=<hex>`. Ignores schemes other than `v1`, which a later version of the
 * service may add. Throws WebhookVerificationError.
 */
export function parseSignatureHeader(header: unknown, hexLength: number): SignatureHeader {
  const plain = typeof header === 'string' ? readPlain(header, hexLength) : undefined;
  if (plain) return plain;
  const elements = splitHeader(header);
  let timestamp: string | undefined;
  let count = 0;
  const signatures: string[] = [];
  for (const element of elements) {
    const [name, value] = readElement(element);
    if (name === 't') {
      if (timestamp !== undefined) throw malformed('it has more than one t');
      timestamp = value;
    }
    if (name !== 'v1') continue;
    count += 1;
    if (count > maxSignatures) throw malformed(`it has more than ${maxSignatures} signatures`);
    if (value.length === hexLength && hex.test(value)) signatures.push(value.toLowerCase());
  }
  if (timestamp === undefined) throw malformed('it has no t');
  if (!digits.test(timestamp)) throw malformed('t is not a number of seconds in digits');
  if (count === 0) throw malformed('it has no v1');
  if (signatures.length === 0) throw malformed(`no v1 is a signature of ${hexLength} hex digits`);
  return { timestamp, signatures };
}

/** Reads the usual form without splitting, which saves a tenth of the check of a small body. */
function readPlain(header: string, hexLength: number): SignatureHeader | undefined {
  const start = header.length - hexLength;
  if (!header.startsWith('t=') || !header.startsWith(',v1=', start - 4)) return undefined;
  const timestamp = header.slice(2, start - 4);
  const signature = header.slice(start);
  if (!digits.test(timestamp) || !lowerHex.test(signature)) return undefined;
  return { timestamp, signatures: [signature] };
}

function splitHeader(header: unknown): string[] {
  if (header === undefined || header === null || header === '') {
    throw new WebhookVerificationError(
      'missing_signature',
      `The delivery has no ${signatureHeaderName} header, so it did not come from the service.`,
    );
  }
  if (Array.isArray(header)) throw malformed('it was sent more than once');
  if (typeof header !== 'string') {
    throw wrongArgument(
      `signature must be the value of the header ${signatureHeaderName} as text.`,
    );
  }
  if (header.length > maxLength) throw malformed(`it is longer than ${maxLength} characters`);
  return header.split(',');
}

/** Some senders and proxies put a space after the comma. */
function readElement(element: string): [name: string, value: string] {
  const text = element.trim();
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}

function malformed(why: string) {
  return new WebhookVerificationError(
    'malformed_signature',
    `The header ${signatureHeaderName} cannot be read: ${why}. Expected t=<unix seconds>,v1=<hex>.`,
  );
}
