import type { RightsNeed } from '@screen-advertising/core/relay-contract';
import { RelayError } from '../base/relay-error.ts';
import type { Right } from '../base/stored-values.ts';

/** The rights of tokens, and what each allows, as the operator reads it. */
export const rights = {
  subscribe: 'its own subscriptions, and all events',
  read: 'see everything of its source',
  manage: 'see and change everything of its source',
} as const satisfies Readonly<Record<Right, string>>;

/** All that n8n and Zapier need. */
export const defaultRights: readonly Right[] = ['subscribe'];

/** Each once, in their order. Throws a RelayError for none, and for any that does not exist. */
export function readRights(given: readonly string[]): Right[] {
  const all = Object.keys(rights) as Right[];
  const unknown = given.some((right) => !Object.hasOwn(rights, right));
  if (!unknown && given.length > 0) return all.filter((right) => given.includes(right));
  throw new RelayError('invalid_parameter', `rights: use one or more of ${all.join(', ')}.`);
}

/** To what belongs to the token, or to everything of its source. */
type Reach = 'own' | 'all';

/** The rights that allow each kind of request, and how far each reaches. */
export const rightsByNeed = {
  /** Who subscribes gets any event, so who subscribes may list them all. */
  events: { subscribe: 'all', read: 'all', manage: 'all' },
  see: { subscribe: 'own', read: 'all', manage: 'all' },
  change: { subscribe: 'own', manage: 'all' },
  /** Events belong to no token. */
  erase: { manage: 'all' },
} as const satisfies Readonly<Record<RightsNeed, Readonly<Partial<Record<Right, Reach>>>>>;

interface Holder {
  readonly token: number;
  readonly source: number;
  readonly rights: readonly Right[];
}

/** Whose records a request may use. */
export interface AccessScope {
  /** Undefined for all. */
  readonly source: number | undefined;
  /** Only those of this token, and why it may not use others. */
  readonly own?: { readonly token: number; readonly refusal: string };
}

/** Throws a RelayError (`forbidden`) for a holder without any of the rights. */
export function accessScopeOf(
  { token, source, rights: held }: Holder,
  need: RightsNeed,
): AccessScope {
  const reaches: Readonly<Partial<Record<Right, Reach>>> = rightsByNeed[need];
  const isHeld = (reach: Reach) => held.some((right) => reaches[right] === reach);
  const sentences = (wanted: readonly string[]) =>
    `the right ${wanted.join(' or ')}, and this token has only ${held.join(' and ')}. Ask the operator of the relay for a connector key with that right.`;
  if (isHeld('all')) return { source };
  if (!isHeld('own')) {
    throw new RelayError('forbidden', `This request needs ${sentences(Object.keys(reaches))}`);
  }
  const wanted = Object.entries(reaches).flatMap(([right, reach]) =>
    reach === 'all' ? [right] : [],
  );
  const refusal = `The subscription belongs to another token. This request needs ${sentences(wanted)}`;
  return { source, own: { token, refusal } };
}

/** Throws a RelayError (`forbidden`) for a subscription of another token, if the scope has no other. */
export function checkReach({ own }: AccessScope, token: number): void {
  if (own && own.token !== token) throw new RelayError('forbidden', own.refusal);
}
