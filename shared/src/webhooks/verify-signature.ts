import { timingSafeEqual } from 'node:crypto';
import { isRecord } from '../json.ts';
import {
  checkBody,
  checkSecrets,
  hasOuterWhiteSpace,
  refusal,
  type WebhookBody,
  wrongArgument,
} from './arguments.ts';
import { createSigner, type SignatureScheme } from './digest.ts';
import { parseSignatureHeader } from './signature-header.ts';
import { checkFreshness, type Freshness } from './tolerance.ts';

export interface VerifySignatureOptions extends SignatureScheme, Freshness {
  /** Raw, as received. Bytes are safest, since decoding can lose what was signed. */
  readonly body: WebhookBody;
  /** Value of the header `X-Service-Signature`. */
  readonly signature: string | readonly string[] | null | undefined;
  /** Every currently valid secret; two during a rotation. */
  readonly secrets: readonly string[];
}

/**
 * Returns when one of the secrets signed this body (section 6). Otherwise, for any input, throws
 * WebhookVerificationError with its `reason`. The body is not decoded.
 */
export function verifySignature(options: VerifySignatureOptions): void {
  if (!isRecord(options)) throw wrongArgument('verifySignature needs an object of options.');
  const { body, secrets } = options;
  checkBody(body);
  checkSecrets(secrets);
  const signer = createSigner(options);
  const { timestamp, signatures } = parseSignatureHeader(options.signature, signer.hexLength);
  checkFreshness(Number(timestamp), options);
  const isSigned = secrets.some((secret) => {
    const expected = signer.sign(secret, timestamp, body);
    return signatures.some((signature) => isSame(expected, signature));
  });
  if (!isSigned || isLossyText(body)) throw mismatch(body, secrets);
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
function isLossyText(body: WebhookBody): boolean {
  return typeof body === 'string' && /\p{Surrogate}/u.test(body);
}

function mismatch(body: WebhookBody, secrets: readonly string[]) {
  const sentences = ['The signature matches none of the signing secrets.'];
  if (secrets.some(hasOuterWhiteSpace)) {
    sentences.push('A secret starts or ends with white space: paste it again without it.');
  }
  if (typeof body === 'string' && /[\uFFFD\p{Surrogate}]/u.test(body)) {
    sentences.push('Decoding changed the body: pass its bytes instead of text.');
  }
  sentences.push('Check that the secret belongs to this access and that nothing changed the body.');
  return refusal('signature_mismatch', sentences.join(' '));
}
