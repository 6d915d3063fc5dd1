import { OutcomeUnknownError } from '../errors/outcome-unknown-error.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord } from '../json.ts';
import type { Try } from './exchange.ts';

/** Reads the coupon with this code from the service. */
export type ReadCoupon = (code: string) => Promise<unknown>;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A request may have been applied though its answer was lost. Gives the coupon when reading it
 * back proves that it was; throws `lastError` when that settles it; else OutcomeUnknownError.
 */
export async function repairLost(
  { operation, input }: Try,
  lastError: ScreenAdvertisingError,
  readCoupon: ReadCoupon,
): Promise<unknown> {
  const { code } = input;
  if (operation.repair === 'none' || typeof code !== 'string') {
    throw outcomeUnknown(operation.title, lastError, lostWithoutCode(operation.name), false);
  }
  const found = await look(readCoupon, code);
  if (operation.repair === 'by-code') {
    if (isRecord(found) && isSameCoupon(input, found) && !hasEnded(found)) return found;
    if (lastError.code === 'conflict' && found !== 'unknown') throw lastError;
    throw outcomeUnknown(
      operation.title,
      lastError,
      `The coupon ${code} may exist. Trying again with the same code is safe: it cannot be created twice`,
      true,
    );
  }
  if (isRecord(found) && stateOf(found) === 'revoked') return found;
  if (lastError.code === 'not_found' || (lastError.code === 'invalid_request' && isOver(found))) {
    throw lastError;
  }
  throw outcomeUnknown(
    operation.title,
    lastError,
    `The coupon ${code} may have been revoked. Get the coupon to see its state; revoking it again does no harm`,
    true,
  );
}

/**
 * The coupon that already carries this code, when it is the one the caller wants to create:
 * an automation that is run again finds its own coupon instead of a conflict.
 */
export async function adoptExisting(
  { input }: Try,
  conflict: ScreenAdvertisingError,
  readCoupon: ReadCoupon,
): Promise<unknown> {
  const found = typeof input.code === 'string' && (await look(readCoupon, input.code));
  const isOwn = isRecord(found) && isSameCoupon(input, found);
  // The first run may be so long ago that the lead has redeemed the coupon since.
  if (isOwn && (!hasEnded(found) || stateOf(found) === 'redeemed')) return found;
  throw conflict;
}

async function look(readCoupon: ReadCoupon, code: string): Promise<unknown> {
  try {
    return await readCoupon(code);
  } catch (error) {
    if (!ScreenAdvertisingError.isInstance(error)) throw error;
    return error.code === 'not_found' ? 'absent' : 'unknown';
  }
}

/** What a service has no reason to write differently, so far as it gives it back. */
const details = ['discount_type', 'discount_value', 'max_redemptions'] as const;

/** Without its lead nobody can tell whose coupon it is. */
function isSameCoupon(wanted: Fields, found: Fields): boolean {
  const isSame = (name: string): boolean => fold(wanted[name]) === fold(found[name]);
  const isKnown = (name: string): boolean => wanted[name] != null && found[name] != null;
  return isSame('lead_email') && details.filter(isKnown).every(isSame);
}

function fold(value: unknown): string {
  return String(value).toLowerCase();
}

function stateOf(coupon: Fields): string {
  return fold(coupon.status);
}

/** A coupon that is over was there before: nobody creates one like that. */
function hasEnded(coupon: Fields): boolean {
  return ['revoked', 'redeemed', 'expired'].includes(stateOf(coupon));
}

/** It ended in another way than by this call. */
function isOver(found: unknown): boolean {
  return isRecord(found) && ['redeemed', 'expired'].includes(stateOf(found));
}

function lostWithoutCode(operationName: string): string {
  return operationName === 'coupon.create'
    ? 'The coupon may exist. Ask the administration of the service before you create it again; with a code of your own a lost answer is repaired by itself'
    : 'It may have been carried out. Doing it again may do it twice';
}

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
