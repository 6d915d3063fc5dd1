import { outcomeUnknown, type UnknownOutcome } from '../errors/error-classes.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord } from '../json.ts';
import type { FoundRecord, Operation, RecoveryContext, RecoveryPolicy } from './operation.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Creates no coupon twice. When the caller chose the code, the service refuses the second request
 * because the code is taken (4.5, rule 2), and the coupon can be read back. Without a code, the
 * second request either creates the coupon or is refused because the lead has an active one (4.5,
 * rule 3); see the assumption `lostCoupon`.
 */
export function createdOnce(getCoupon: Operation): Required<RecoveryPolicy> {
  return {
    probeByResending: ({ code }) => code === undefined,
    async resolveLost(ended) {
      const { operation, input, error } = ended;
      const isConflict = error.code === 'conflict';
      if (typeof input.code !== 'string') {
        throw outcomeUnknown(operation.title, error, isConflict ? leadHasCoupon : couponMayExist);
      }
      const { found, failure } = await readBack(ended, getCoupon);
      const owner = found ? ownerOf(found.data, input) : 'other';
      if (found && owner === 'caller') {
        const coupon = found.data;
        if (!hasEnded(coupon) || (isConflict && isAdoptable(coupon, ended))) return found;
      }
      if (isConflict && !failure && owner !== 'unknown') throw error;
      throw outcomeUnknown(operation.title, error, {
        summary: `got no clear response, so the coupon ${input.code} may exist`,
        remedy: 'Retrying with the same code is safe: it cannot be created twice.',
        isRetryable: true,
      });
    },
    /**
     * Returns the coupon that already carries this code when it is the one the caller wants to
     * create. A rerun of an automation then finds its own coupon instead of a conflict. Otherwise
     * throws the conflict, or the retryable error that kept the coupon from being read: until it is
     * read, its owner is unknown.
     */
    async resolveConflict(ended) {
      const { input, error } = ended;
      const isAdopting = ended.adoptExisting && error.code === 'conflict';
      if (!isAdopting || typeof input.code !== 'string') throw error;
      const { found, failure } = await readBack(ended, getCoupon);
      if (failure?.isRetryable) throw failure;
      if (found && ownerOf(found.data, input) === 'caller' && isAdoptable(found.data, ended)) {
        return found;
      }
      throw error;
    },
  };
}

/** Revoking a coupon again is harmless, and the coupon itself shows what happened. */
export function revokedOnce(getCoupon: Operation): RecoveryPolicy {
  return {
    async resolveLost(ended) {
      const { operation, input, error } = ended;
      const { found } = await readBack(ended, getCoupon);
      if (found && statusOf(found.data) === 'revoked') return found;
      // The coupon as it is says what became of the lost request.
      const isKnown = found && (statusOf(found.data) === 'active' || hasEnded(found.data));
      const isRefused = isKnown && (error.code === 'invalid_request' || error.code === 'conflict');
      if (error.code === 'not_found' || isRefused) throw error;
      throw outcomeUnknown(operation.title, error, {
        summary: `got no clear response, so the coupon ${input.code} may be revoked`,
        remedy: 'Get the coupon to check its status, or revoke it again: both are safe.',
        isRetryable: true,
      });
    },
  };
}

/** Both are undefined if no coupon has this code. */
interface Lookup {
  readonly found?: FoundRecord & { readonly data: Fields };
  readonly failure?: ScreenAdvertisingError;
}

async function readBack({ call, input }: RecoveryContext, getCoupon: Operation): Promise<Lookup> {
  try {
    const { data, ...response } = await call(getCoupon, { code: input.code });
    return isRecord(data) ? { found: { ...response, data } } : {};
  } catch (error) {
    if (!ScreenAdvertisingError.isInstance(error)) throw error;
    return error.code === 'not_found' ? {} : { failure: error };
  }
}

/** Fields that the service has no reason to rewrite. */
const terms = ['lead_email', 'discount_type', 'discount_value', 'max_redemptions'] as const;

/** The terms that differ. Fields that the service does not return are not compared. */
export function differing(found: Fields, wanted: Fields): readonly (typeof terms)[number][] {
  // Only the redemptions may be left out (section 2.4).
  return terms.filter(
    (name) => found[name] != null && plain(found[name]) !== plain(wanted[name] ?? 1),
  );
}

/** Without the lead's email, the owner of a coupon is unknown. */
function ownerOf(found: Fields, wanted: Fields): 'caller' | 'other' | 'unknown' {
  if (found.lead_email == null) return 'unknown';
  return differing(found, wanted).length === 0 ? 'caller' : 'other';
}

/** Numbers may arrive as text, such as "25.00". */
export function plain(value: unknown): string {
  const number = Number(value);
  return Number.isNaN(number) ? String(value).trim().toLowerCase() : String(number);
}

/** Empty if the service shows none. */
export const statusOf = ({ status }: Fields): string => (status == null ? '' : plain(status));

/** A coupon that has ended existed before this call: no call creates one in that state. */
export function hasEnded(coupon: Fields): boolean {
  return ['revoked', 'redeemed', 'expired'].includes(statusOf(coupon));
}

/** The first run may be so long ago that the lead has redeemed the coupon since. */
function isAdoptable(coupon: Fields, { adoptExisting }: RecoveryContext): boolean {
  return adoptExisting && (!hasEnded(coupon) || statusOf(coupon) === 'redeemed');
}

const couponMayExist: UnknownOutcome = {
  summary: 'got no clear response, so the coupon may exist',
  remedy:
    'Retrying is safe: a lead can have only one active coupon from you, so no second one is created.',
  isRetryable: true,
};

/** The conflict may also come from a coupon that the lead had before. */
const leadHasCoupon: UnknownOutcome = {
  summary: 'got no clear response, but the lead has an active coupon: this one or an earlier one',
  remedy:
    'Ask the Screen Advertising team for its code and discount; if you set your own code, lost responses are repaired automatically.',
  isRetryable: false,
};
