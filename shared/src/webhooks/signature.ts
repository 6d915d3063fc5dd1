import { hmacHex } from '#crypto';
import { isRecord } from '../json.ts';
import {
  checkOptionNames,
  checkRawBody,
  invalidArgumentError,
  type WebhookBody,
  WebhookVerificationError,
} from './delivery.ts';
import {
  algorithmByHexLength,
  checkScheme,
  hexPairsPattern,
  hmacKeyOf,
  type SignatureScheme,
  signedContentOf,
} from './scheme.ts';

/** No message quotes a secret. */
export function checkSecret(secret: unknown, name: string): asserts secret is string {
  if (typeof secret !== 'string' || secret.trim() === '') {
    throw invalidArgumentError(`${name} must be text that is not empty.`);
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
  checkOptionNames(options, 'signWebhook', ['body', 'secret', 'scheme', 'timestamp']);
  const { secret, timestamp = Math.floor(Date.now() / 1000) } = options;
  const body = checkRawBody(options.body);
  checkSecret(secret, 'secret');
  if (!Number.isSafeInteger(timestamp) || timestamp < 0 || timestamp > maxSeconds) {
    throw invalidArgumentError('timestamp must be whole seconds since 1970, not milliseconds.');
  }
  const scheme = checkScheme(options.scheme ?? {});
  const key = hmacKeyOf(secret, scheme.key);
  if (!key) throw invalidArgumentError(`secret cannot be read as ${scheme.key}.`);
  const content = signedContentOf(scheme.signedContent, String(timestamp), body);
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

/**
 * Reads `t=<unix seconds>,v1=<hex>`. Ignores schemes other than `v1`, which a later version of the
 * service may add. Throws WebhookVerificationError.
 */
export function parseSignatureHeader(header: unknown): SignatureHeader {
  const times: string[] = [];
  const values: string[] = [];
  for (const element of splitHeader(header)) {
    // Some senders and proxies put a space after the comma.
    const text = element.trim();
    if (text === 't' || text.startsWith('t=')) times.push(text.slice(2));
    if (text.startsWith('v1=')) values.push(text.slice(3));
  }
  const [timestamp = ''] = times;
  if (times.length > 1) throw malformed('it has more than one t');
  if (values.length > maxSignatures) {
    throw malformed(`it has more than ${maxSignatures} signatures`);
  }
  if (!digits.test(timestamp)) throw malformed('it has no t of 1 to 15 digits');
  const signatures = values
    .filter((value) => algorithmByHexLength[value.length] && hexPairsPattern.test(value))
    .map((value) => value.toLowerCase());
  if (signatures.length === 0) {
    throw malformed('it has no v1 of 40, 64, 96 or 128 hex digits');
  }
  return { timestamp, signatures: signatures as [string, ...string[]] };
}

/** The headers of a request, as its server spells and passes them. */
export type DeliveryHeaders = Readonly<
  Record<string, string | readonly string[] | null | undefined>
>;

/** The values of the signature's header. Throws WebhookVerificationError. */
export function signatureHeaderValues(headers: unknown): unknown[] {
  if (!isRecord(headers))
    throw invalidArgumentError('headers must be an object of headers by name.');
  return Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === signatureHeaderName ? (value ?? []) : [],
  );
}

function splitHeader(given: unknown): string[] {
  // Gateways pass the values of a header as a list.
  const isList = Array.isArray(given);
  const header: unknown = isList ? given[0] : given;
  if (isList && given.length > 1) throw malformed('it was sent more than once');
  if (header === undefined || header === null || header === '') {
    throw new WebhookVerificationError(
      'missing_signature',
      `The delivery has no ${signatureHeaderName} header, so it did not come from the service.`,
    );
  }
  if (typeof header !== 'string') {
    throw invalidArgumentError(`signature must be the text of the header ${signatureHeaderName}.`);
  }
  if (header.length > maxLength) throw malformed(`it is longer than ${maxLength} characters`);
  return header.split(',');
}

function malformed(why: string) {
  return new WebhookVerificationError(
    'malformed_signature',
    `The header ${signatureHeaderName} cannot be read: ${why}. Expected t=<unix seconds>,v1=<hex>.`,
  );
}
