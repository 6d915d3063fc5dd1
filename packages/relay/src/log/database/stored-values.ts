/** What a token may do. */
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
export const reasonsOfStop: readonly string[] = ['gone', reasonUnsubscribed];

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
export interface SignatureOfSource {
  readonly algorithm: string;
  readonly signed_content: string;
  readonly key: string;
}

/** What a subscriber responded to an attempt, safe to store and to show. */
export interface ResponseRecord {
  readonly status: number;
  /** Those that help to find a fault, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The start of the body, on one line; empty if it is binary. */
  readonly body: string;
  readonly is_binary: boolean;
  /** Whether the body is longer. */
  readonly is_cut: boolean;
}
