import { createHmac } from 'node:crypto';
import { isRaw, type WebhookBody, wrongArgument } from './arguments.ts';

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
export type SignedContent = (timestamp: string, body: WebhookBody) => readonly WebhookBody[];

const hexLengths = { sha1: 40, sha256: 64, sha384: 96, sha512: 128 } as const;

const timestampAndBody: SignedContent = (timestamp, body) => [`${timestamp}.`, body];

export interface Signer {
  /** Number of hex digits of a signature. */
  readonly hexLength: number;
  /** Lower-case hex. */
  sign(secret: string, timestamp: string, body: WebhookBody): string;
}

/** Throws WebhookVerificationError (`invalid_argument`) for a scheme that cannot be computed. */
export function createSigner({
  algorithm = 'sha256',
  signedContent = timestampAndBody,
}: SignatureScheme): Signer {
  if (typeof algorithm !== 'string' || !Object.hasOwn(hexLengths, algorithm)) {
    throw wrongArgument(`algorithm must be one of ${Object.keys(hexLengths).join(', ')}.`);
  }
  if (typeof signedContent !== 'function') {
    throw wrongArgument('signedContent must be a function that returns the signed parts.');
  }
  return {
    hexLength: hexLengths[algorithm],
    sign(secret, timestamp, body) {
      const hmac = createHmac(algorithm, secret);
      const parts: unknown = signedContent(timestamp, body);
      if (!Array.isArray(parts)) throw unusableParts();
      for (const part of parts) {
        if (!isRaw(part)) throw unusableParts();
        hmac.update(part);
      }
      return hmac.digest('hex');
    },
  };
}

function unusableParts() {
  return wrongArgument('signedContent must return a list of strings or bytes.');
}
