export type Right = 'subscribe' | 'read' | 'manage';

export type SubscriptionState = 'active' | 'off';

/** `ignored`: the target responded with 2xx, and that it did nothing. */
export type DeliveryState = 'pending' | 'delivered' | 'ignored' | 'dead';

/** Why a delivery is dead whose subscriber ended its subscription, and did not come back in time. */
export const reasonUnsubscribed = 'unsubscribed';

/** Why one is dead, or was ignored, whose event its subscriber does not want. */
export const reasonNotDesired = 'not_wanted';

/** Why one is dead whose event was erased. */
export const reasonErased = 'erased';

/** Why a delivery is dead because its subscription stopped: one that replaces it still gets them. */
export const deadWhenStoppedReasons: readonly string[] = ['gone', reasonUnsubscribed];

/** Why a subscription is off. After `unsubscribed`, only its subscriber switches it on again. */
export type OffReason =
  | 'unsubscribed'
  | 'gone'
  | 'failing'
  | 'by_hand'
  | 'token_revoked'
  | 'key_rotated';

/**
 * `again`: deliveries that a person wants again. `retry`: pending ones, now. `missing`: events without a
 * delivery. `of`: what another subscription, which this one replaces, still had to get.
 */
export type JobKind = 'again' | 'retry' | 'missing' | 'of';

/** In the words of the API. */
export interface SourceSignature {
  readonly algorithm: string;
  readonly signed_content: string;
  readonly key: string;
}

/** The response of a subscriber to an attempt, safe to store and to show. */
export interface ResponseRecord {
  readonly status: number;
  /** Those that help to find a fault, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The start of the body, on one line; empty if it is binary. */
  readonly body: string;
  readonly is_binary: boolean;
  readonly is_cut: boolean;
}

/** Why a subscription to a target is off, or a delivery dead, ignored or refused, in a sentence. */
export function reasonText(reason: string | null, targetUrl?: string): string {
  const key = reason ?? '';
  if (key === 'gone' && targetUrl && new URL(targetUrl).host === zapierHooks) {
    return 'The Zap was turned off, so its hook responded with 410 (Gone)';
  }
  return Object.hasOwn(reasons, key) ? (reasons[key] ?? '') : key;
}

const zapierHooks = 'hooks.zapier.com';

const reasons: Readonly<Record<string, string>> = {
  gone: 'The target responded with 410 (Gone)',
  failing: 'Every attempt failed for five days',
  token_revoked: 'Its token was revoked',
  key_rotated: 'Its key was rotated, and the new one has not been used',
  by_hand: 'Switched off by an operator',
  unsubscribed: 'The subscription was deleted',
  retries_exhausted: 'Every retry failed',
  erased: 'Its event was erased',
  duplicate: 'Ignored: the workflow has had this delivery before',
  not_wanted: 'Its subscriber does not want this event',
  sample: 'Ignored: the workflow does not run for samples',
  missing_signature: 'It has no X-Service-Signature header',
  malformed_signature: 'Its X-Service-Signature header cannot be read',
  timestamp_out_of_tolerance: 'It was signed too long ago, or in the future',
  signature_mismatch: 'The secret does not fit',
  malformed_body: 'Its body is not an event',
  too_large: 'Its body is larger than 1 MiB',
};

/** How the service signs the deliveries of a source, for people; undefined before the first one. */
export function signatureText(scheme: SourceSignature | null): string | undefined {
  if (scheme === null) return undefined;
  const { algorithm, signed_content, key } = scheme;
  const secret = key === 'text' ? 'the secret' : `the secret (${key})`;
  return `HMAC-${algorithm.toUpperCase().replace('SHA', 'SHA-')} of ${signed_content.replace('\n', '\\n')} with ${secret}`;
}

/** Undefined when the signature covers its time, as nearly always. */
export function untimedSignatureNote(scheme: SourceSignature | null): string | undefined {
  if (scheme === null || scheme.signed_content.includes('{t}')) return undefined;
  return 'The signature covers only the body, so a recorded delivery can be sent again: that duplicates are dropped is the only defense.';
}
