import { createHmac } from '#crypto';
import { WebhookVerificationError } from '../errors/webhook-verification-error.ts';
import { isRecord } from '../json.ts';
import {
  algorithms,
  checkScheme,
  contentOf,
  keyOf,
  type SignatureAlgorithm,
  type SignatureScheme,
} from './scheme.ts';
import {
  checkOptions,
  type RawBody,
  rawBody,
  type WebhookBody,
  wrongArgument,
} from './webhook-body.ts';

/** What to hash. */
export interface HmacInput {
  readonly algorithm: SignatureAlgorithm;
  readonly key: RawBody;
  readonly content: readonly RawBody[];
}

/** Lower-case hex. */
export function hmacHex({ algorithm, key, content }: HmacInput): string {
  const hmac = createHmac(algorithm, key);
  for (const part of content) hmac.update(part);
  return hmac.digest('hex');
}

/** No message quotes a secret. */
export function checkSecret(secret: unknown, name: string): asserts secret is string {
  if (typeof secret !== 'string' || secret.trim() === '') {
    throw wrongArgument(`${name} must be text that is not empty.`);
  }
}

/** What to sign, and with what. */
interface SignWebhookOptions {
  /** The body as it is sent. */
  readonly body: WebhookBody;
  /** The signing secret of the receiver. */
  readonly secret: string;
  /** Default: the assumed scheme. */
  readonly scheme?: SignatureScheme | undefined;
  /** Whole seconds since 1970-01-01T00:00:00Z. Default: now. */
  readonly timestamp?: number | undefined;
}

/** Later than the year 5000: the caller passed milliseconds. */
const maxSeconds = 99_999_999_999;

/** Value of the header `X-Service-Signature` as the service sends it (section 6). */
export function signWebhook(options: SignWebhookOptions): string {
  checkOptions(options, 'signWebhook', ['body', 'secret', 'scheme', 'timestamp']);
  const { secret, timestamp = Math.floor(Date.now() / 1000) } = options;
  const body = rawBody(options.body);
  checkSecret(secret, 'secret');
  if (!Number.isSafeInteger(timestamp) || timestamp < 0 || timestamp > maxSeconds) {
    throw wrongArgument('timestamp must be whole seconds since 1970, not milliseconds.');
  }
  const scheme = checkScheme(options.scheme ?? {});
  const key = keyOf(secret, scheme.key);
  if (key === undefined) throw wrongArgument(`secret cannot be read as ${scheme.key}.`);
  const content = contentOf(scheme.signedContent, String(timestamp), body);
  return `t=${timestamp},v1=${hmacHex({ algorithm: scheme.algorithm, key, content })}`;
}

/** Name of the header that carries the signature, in lower case (section 6). */
export const signatureHeaderName = 'x-service-signature';

export interface SignatureHeader {
  /** The digits exactly as in the header, because they are part of what is signed. */
  readonly timestamp: string;
  /** Every `v1` that can be a signature, in lower case. */
  readonly signatures: readonly [string, ...string[]];
}

/** A sender in the middle of a rotation needs two; beyond these limits a header only costs time. */
const maxLength = 4096;
const maxSignatures = 16;

/** Fifteen digits are exact as a number. */
const digits = /^\d{1,15}$/;
const hex = /^[\da-f]+$/i;

/**
 * Reads `t=<unix seconds>,v1=<hex>`. Ignores schemes other than `v1`, which a later version of the
 * service may add. Throws WebhookVerificationError.
 */
export function parseSignatureHeader(header: unknown): SignatureHeader {
  const elements = splitHeader(header);
  let timestamp: string | undefined;
  const values: string[] = [];
  for (const element of elements) {
    const [name, value] = readElement(element);
    if (name === 't') {
      if (timestamp !== undefined) throw malformed('it has more than one t');
      timestamp = value;
    }
    if (name === 'v1') values.push(value);
    if (values.length > maxSignatures) {
      throw malformed(`it has more than ${maxSignatures} signatures`);
    }
  }
  if (timestamp === undefined) throw malformed('it has no t');
  if (!digits.test(timestamp)) throw malformed('t is not a number of seconds in digits');
  if (values.length === 0) throw malformed('it has no v1');
  const signatures = values
    .filter((value) => algorithms[value.length] && hex.test(value))
    .map((value) => value.toLowerCase());
  if (signatures.length === 0) {
    throw malformed('no v1 is a signature of 40, 64, 96 or 128 hex digits');
  }
  return { timestamp, signatures: signatures as [string, ...string[]] };
}

/** The headers of a request, as its server spells and passes them. */
export type DeliveryHeaders = Readonly<
  Record<string, string | readonly string[] | null | undefined>
>;

/** The value of a header by its name in any case. Throws WebhookVerificationError. */
export function headerIn(headers: unknown, name: string): unknown {
  if (!isRecord(headers)) throw wrongArgument('headers must be an object of headers by name.');
  const values = Object.entries(headers)
    .filter(([spelled, value]) => spelled.toLowerCase() === name && value != null)
    .flatMap(([, value]) => value);
  return values.length > 1 ? values : values[0];
}

function splitHeader(given: unknown): string[] {
  // Gateways pass the values of a header as a list.
  const header: unknown = Array.isArray(given) && given.length < 2 ? given[0] : given;
  if (header === undefined || header === null || header === '') {
    throw new WebhookVerificationError(
      'missing_signature',
      `The delivery has no ${signatureHeaderName} header, so it did not come from the service.`,
    );
  }
  if (Array.isArray(header)) throw malformed('it was sent more than once');
  if (typeof header !== 'string') {
    throw wrongArgument(`signature must be the text of the header ${signatureHeaderName}.`);
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
