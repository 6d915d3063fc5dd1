import { OutcomeUnknownError } from '../errors/outcome-unknown-error.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord } from '../json.ts';
import type { OngoingCall } from './send-once.ts';

export interface Repairs {
  /** Reads the coupon with this code from the service. */
  readonly readCoupon: (code: string) => Promise<unknown>;
  /** A conflict counts as success when the caller's own coupon is there. */
  readonly adoptExisting: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * A request may have been applied though its answer was lost. Gives the coupon when reading it
 * back proves that it was; throws `lastError` when that settles it; else OutcomeUnknownError.
 */
export async function repairLost(
  { operation, input }: OngoingCall,
  lastError: ScreenAdvertisingError,
  repairs: Repairs,
): Promise<unknown> {
  const { code } = input;
  const { title } = operation;
  if (operation.repair === 'none') throw outcomeUnknown(title, lastError, mayBeDone, false);
  if (typeof code !== 'string') {
    const hasCoupon = lastError.code === 'conflict';
    const known = hasCoupon ? leadHasCoupon : couponMayExist;
    throw outcomeUnknown(title, lastError, known, !hasCoupon);
  }
  const { coupon, failure } = await look(repairs, code);
  if (operation.repair === 'by-code') {
    const isConflict = lastError.code === 'conflict';
    const owner = coupon ? ownerOf(coupon, input) : 'other';
    if (coupon && owner === 'caller') {
      if (!hasEnded(coupon) || (isConflict && isAdoptable(coupon, repairs))) return coupon;
    }
    if (isConflict && !failure && owner !== 'unknown') throw lastError;
    throw outcomeUnknown(
      title,
      lastError,
      `The coupon ${code} may exist. Trying again with the same code is safe: it cannot be created twice`,
      true,
    );
  }
  if (coupon && stateOf(coupon) === 'revoked') return coupon;
  const isOver = coupon && hasEnded(coupon);
  if (lastError.code === 'not_found' || (lastError.code === 'invalid_request' && isOver)) {
    throw lastError;
  }
  throw outcomeUnknown(
    title,
    lastError,
    `The coupon ${code} may have been revoked. Get the coupon to see its state; revoking it again does no harm`,
    true,
  );
}

/**
 * The coupon that already carries this code, when it is the one the caller wants to create:
 * an automation that is run again finds its own coupon instead of a conflict. Throws the conflict,
 * or why the coupon could not be read just now: until it was, nobody knows whose it is.
 */
export async function adoptExisting(
  { input }: OngoingCall,
  conflict: ScreenAdvertisingError,
  repairs: Repairs,
): Promise<unknown> {
  if (typeof input.code !== 'string') throw conflict;
  const { coupon, failure } = await look(repairs, input.code);
  if (failure?.isRetryable) throw failure;
  if (coupon && ownerOf(coupon, input) === 'caller' && isAdoptable(coupon, repairs)) return coupon;
  throw conflict;
}

/** Neither of them when there is no coupon with this code. */
interface Look {
  readonly coupon?: Fields;
  readonly failure?: ScreenAdvertisingError;
}

async function look({ readCoupon }: Repairs, code: string): Promise<Look> {
  try {
    const coupon = await readCoupon(code);
    return isRecord(coupon) ? { coupon } : {};
  } catch (error) {
    if (!ScreenAdvertisingError.isInstance(error)) throw error;
    return error.code === 'not_found' ? {} : { failure: error };
  }
}

/** What a service has no reason to write differently, so far as it gives it back. */
const details = ['discount_type', 'discount_value', 'max_redemptions'] as const;

/** Without its lead nobody can tell whose coupon it is. */
function ownerOf(found: Fields, wanted: Fields): 'caller' | 'other' | 'unknown' {
  if (found.lead_email == null) return 'unknown';
  const isSame = (name: string): boolean => fold(wanted[name]) === fold(found[name]);
  const isKnown = (name: string): boolean => wanted[name] != null && found[name] != null;
  return isSame('lead_email') && details.filter(isKnown).every(isSame) ? 'caller' : 'other';
}

/** Numbers may come as text, such as "25.00". */
function fold(value: unknown): string {
  const number = Number(value);
  return Number.isNaN(number) ? String(value).toLowerCase() : String(number);
}

function stateOf(coupon: Fields): string {
  return fold(coupon.status);
}

/** A coupon that is over was there before: nobody creates one like that. */
function hasEnded(coupon: Fields): boolean {
  return ['revoked', 'redeemed', 'expired'].includes(stateOf(coupon));
}

/** The first run may be so long ago that the lead has redeemed the coupon since. */
function isAdoptable(coupon: Fields, { adoptExisting }: Repairs): boolean {
  return adoptExisting && (!hasEnded(coupon) || stateOf(coupon) === 'redeemed');
}

const mayBeDone = 'It may have been carried out. Doing it again may do it twice';
const couponMayExist =
  'The coupon may exist. Retrying is safe: a lead can have one active coupon of yours, so no second one is created';
/** The conflict may also be about a coupon that the lead had before. */
const leadHasCoupon =
  'The lead has an active coupon, most likely this one, and only the Screen Advertising team can tell you its code. Set a code of your own, and a lost response is repaired automatically';

function outcomeUnknown(
  title: string,
  cause: ScreenAdvertisingError,
  remedy: string,
  isRetryable: boolean,
): OutcomeUnknownError {
  return new OutcomeUnknownError(
    `${title} got no answer that tells whether it was carried out. ${remedy}. What happened: ${cause.message}`,
    {
      isRetryable,
      status: cause.status,
      problem: cause.problem,
      retryAfter: cause.retryAfter,
      cause,
    },
  );
}
