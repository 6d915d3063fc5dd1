import { checkOptionNames, invalidArgumentError, isRawBody, type RawBody } from './delivery.ts';

/** The hash of the HMAC in a signature. */
export type SignatureAlgorithm = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** By the number of hex digits of a signature. */
export const algorithmByHexLength: Readonly<Record<number, SignatureAlgorithm>> = {
  40: 'sha1',
  64: 'sha256',
  96: 'sha384',
  128: 'sha512',
};

/** Every algorithm that signs deliveries. */
export const signatureAlgorithms: readonly SignatureAlgorithm[] =
  /* @__PURE__ */ Object.values(algorithmByHexLength);

/**
 * What a service may sign, the most likely first: `{t}` is the text of `t` in the header, `{body}`
 * the raw body.
 */
export const signedContents = [
  '{t}.{body}',
  '{t}{body}',
  '{body}',
  '{body}.{t}',
  '{body}{t}',
  '{t}:{body}',
  '{t}\n{body}',
  'v1:{t}:{body}',
  'v1.{t}.{body}',
] as const;

/**
 * How a secret becomes the key of the HMAC: its text, or, after a prefix `whsec_`, the rest as text
 * or decoded.
 */
export const signingKeyForms = ['text', 'unprefixed', 'base64', 'hex'] as const;

type SigningKeyForm = (typeof signingKeyForms)[number];

/** Returns the parts that are signed. `timestamp` is the text of `t`, exactly as in the header. */
type SignedContent = (timestamp: string, body: RawBody) => readonly RawBody[];

/** A way to sign deliveries. Default: the assumed one, HMAC-SHA256 over `t`, a dot and the body. */
export interface SignatureScheme {
  /** Default: sha256. */
  readonly algorithm?: SignatureAlgorithm | undefined;
  /** A template with `{t}` and `{body}`, or a function. Default: `{t}.{body}`. */
  readonly signedContent?: string | SignedContent | undefined;
  /** Default: text. */
  readonly key?: SigningKeyForm | undefined;
}

/** The scheme that signed a delivery. */
export interface DeliveryScheme {
  /** The hash of the HMAC. */
  readonly algorithm: SignatureAlgorithm;
  /** The template, or the text of the function. */
  readonly signedContent: string;
  /** How the secret becomes the key. */
  readonly key: SigningKeyForm;
}

/** A scheme with the defaults. */
export interface SchemeWithDefaults extends Omit<DeliveryScheme, 'signedContent'> {
  readonly signedContent: string | SignedContent;
}

/** The assumed scheme; see `signatureScheme` in the assumptions. */
export const assumedScheme: DeliveryScheme = {
  algorithm: 'sha256',
  signedContent: signedContents[0],
  key: 'text',
};

/** Adds the defaults. Throws WebhookVerificationError (`invalid_argument`). */
export function checkScheme(scheme: unknown): SchemeWithDefaults {
  checkOptionNames(scheme, 'scheme', ['algorithm', 'signedContent', 'key']);
  const {
    algorithm = assumedScheme.algorithm,
    signedContent = assumedScheme.signedContent,
    key = assumedScheme.key,
  } = scheme as SignatureScheme;
  oneOf(signatureAlgorithms, 'algorithm', algorithm);
  oneOf(signingKeyForms, 'key', key);
  signedContentOf(signedContent, '', '');
  return { algorithm, signedContent, key };
}

function oneOf(known: readonly unknown[], name: string, value: unknown): void {
  if (known.includes(value)) return;
  throw invalidArgumentError(`scheme.${name} must be one of ${known.join(', ')}.`);
}

/** The input of an HMAC. */
export interface HmacInput {
  readonly algorithm: SignatureAlgorithm;
  readonly key: RawBody;
  readonly content: readonly RawBody[];
}

export interface SignatureComparison extends HmacInput {
  /** The signatures of the header that have the length of the algorithm. */
  readonly given: readonly string[];
}

/** The parts that are signed. Throws WebhookVerificationError (`invalid_argument`). */
export function signedContentOf(
  signedContent: unknown,
  timestamp: string,
  body: RawBody,
): readonly RawBody[] {
  // Nearly every delivery: this saves it the template.
  if (signedContent === assumedScheme.signedContent) return [`${timestamp}.`, body];
  if (typeof signedContent === 'string') {
    const parts: RawBody[] = signedContent.replaceAll('{t}', timestamp).split('{body}');
    if (parts.length === 2) return parts.toSpliced(1, 0, body);
  } else if (typeof signedContent === 'function') {
    const parts: unknown = signedContent(timestamp, body);
    if (Array.isArray(parts) && parts.every(isRawBody)) return parts;
  }
  throw invalidArgumentError(
    'scheme.signedContent must be a template with {body} once, such as {t}.{body}, or a function that returns a list of strings and bytes.',
  );
}

/** The key of the HMAC; empty for a secret that does not have this form. */
export function hmacKeyOf(secret: string, key: SigningKeyForm): RawBody {
  if (key === 'text') return secret;
  const rest = secret.replace(/^whsec_/, '');
  if (key === 'unprefixed') return rest === secret ? '' : rest;
  const bytes = key === 'hex' ? bytesOfHex(rest) : bytesOfBase64(rest);
  // HMAC pads keys with zeros, so anyone could sign with a key of zeros only.
  return bytes?.some(Boolean) ? bytes : '';
}

export const hexPairsPattern = /^(?:[\da-f]{2})+$/i;

/** Undefined for other text. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  if (!hexPairsPattern.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Undefined for other text. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  try {
    const standard = text.replaceAll('-', '+').replaceAll('_', '/');
    return Uint8Array.from(atob(standard), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
