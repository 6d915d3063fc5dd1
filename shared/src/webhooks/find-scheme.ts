import {
  algorithms,
  type Comparison,
  contentOf,
  type DeliveryScheme,
  firstScheme,
  keyOf,
  type SignatureAlgorithm,
  signedContents,
  signingKeys,
  type WholeScheme,
} from './scheme.ts';
import type { SignatureHeader } from './signature.ts';
import { type RawBody, trimmedBody } from './webhook-body.ts';

/** What may have signed a delivery. */
export interface Candidate {
  readonly scheme: WholeScheme;
  readonly secret: string;
}

/** A header whose time is near. */
export interface FreshSignature extends SignatureHeader {
  readonly nowMs: number;
  /** The only scheme to accept; undefined for every known one. */
  readonly pinned: WholeScheme | undefined;
}

export const noneFits = 'The signature matches none of the signing secrets';

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
): Generator<Candidate, WholeScheme | string, boolean> {
  const usual = pinned ?? firstScheme;
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
  const algorithm = algorithms[signatures[0].length] as SignatureAlgorithm;
  for (const signedContent of signedContents) {
    for (const secret of secrets) {
      for (const key of signingKeys) {
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

/** What to hash and to compare; undefined when the secret or the header rules the scheme out. */
export function comparisonOf(
  { scheme, secret }: Candidate,
  { timestamp, signatures }: FreshSignature,
  body: RawBody,
): Comparison | undefined {
  const { algorithm, signedContent } = scheme;
  const given = signatures.filter(({ length }) => algorithms[length] === algorithm);
  const key = given.length > 0 && keyOf(secret, scheme.key);
  return key
    ? { algorithm, key, content: contentOf(signedContent, timestamp, body), given }
    : undefined;
}

/**
 * The first brace of what is signed then starts the object, and the last one ends it. So what one
 * scheme signs is never what another one would sign for a different time or object.
 */
function isBraced(body: RawBody): boolean {
  const object = trimmedBody(body);
  // Of text the characters, of bytes their codes.
  return ['{}', '123125'].includes(`${object.at(0)}${object.at(-1)}`);
}
