import { hmacSha256 } from '#crypto';
import { couponConflict } from '../catalogue/coupon-conflict.ts';
import { hasEnded, plain, statusOf } from '../catalogue/coupon-recovery.ts';
import { coupons } from '../catalogue/coupons.ts';
import type { FoundRecord, Operation, RecoveryContext } from '../catalogue/operation.ts';
import type { CallPromise, CallResult } from '../client/call-promise.ts';
import type { CallOptions } from '../client/run.ts';
import type { Client } from '../client.ts';
import { outcomeUnknown } from '../errors/error-classes.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { emailKey } from '../forms/texts.ts';

type Fields = Readonly<Record<string, unknown>>;
type Send = RecoveryContext['call'];

/** What is known of a coupon beside its record. */
interface Told {
  /** Whether this call made it; null if that is not known. */
  readonly created?: boolean | null;
  readonly coupon_note?: string;
}

/** Whose coupon, and in which series: each prefix and each key has its own. */
export interface LeadKey {
  /** The Coupon Key, or the secret of the access. */
  readonly key: string;
  readonly prefix: string;
  readonly lead: string;
}

interface Found extends FoundRecord {
  readonly data: Fields;
  readonly code: string;
  readonly nth: number;
}

/**
 * Creates the coupon of a lead, or returns the one that the lead has. The service keeps one active
 * coupon for each lead and access (section 4.5, rule 3), so the code follows from the lead: a
 * retry, a rerun and another platform send the same one, and a conflict leads to its coupon.
 */
export async function createForLead(
  client: Client,
  input: Fields,
  { isAnother, ...leadKey }: LeadKey & { readonly isAnother: boolean },
  options: CallOptions | undefined,
): Promise<CallResult<object>> {
  const series = new Series(leadKey);
  const code = await series.codeOf(1);
  let told: Told = { created: true };
  const settle = async (ended: RecoveryContext, isLost: boolean): Promise<FoundRecord> => {
    const { error, call } = ended;
    if (!isLost && error.code !== 'conflict') throw refusedCode(error, code);
    const settling = new Settling(series, input, call);
    const settled = await settling.settle({ error, isLost, nth: 1, code }, isAnother);
    told = settled.told;
    return settled.coupon;
  };
  const operation: Operation = {
    ...coupons.create,
    recovery: {
      probeByResending: () => true,
      resolveLost: (ended) => settle(ended, true),
      resolveConflict: (ended) => settle(ended, false),
    },
  };
  const result = await resultOf(client, operation, { ...input, code }, options);
  return { ...result, data: { ...withCode(result, code).data, ...told } };
}

/**
 * Creates a coupon whose code the caller or the service chooses. `adoptExisting` also returns the
 * coupon that has the caller's code, lead and terms.
 */
export async function createWithCode(
  client: Client,
  input: Fields,
  options: CallOptions,
): Promise<CallResult<object>> {
  const { recovery } = coupons.create;
  if (typeof recovery !== 'object') throw new TypeError('Create Coupon has no recovery.');
  let told: Told | undefined;
  const operation: Operation = {
    ...coupons.create,
    recovery: {
      ...recovery,
      async resolveLost(ended) {
        const found = await recovery.resolveLost(ended);
        told = tellOf(found.data as Fields, true);
        return found;
      },
      async resolveConflict(ended) {
        if (!recovery.resolveConflict) throw ended.error;
        const found = await recovery.resolveConflict(ended);
        told = tellOf(found.data as Fields, false);
        return found;
      },
    },
  };
  const result = await resultOf(client, operation, input, options);
  return { ...result, data: { ...result.data, ...(told ?? { created: true }) } };
}

/**
 * The newest coupon of a lead in a series. Rejects with a `not_found` error if there is none: the
 * service itself finds no coupon by its lead.
 */
export async function findForLead(
  client: Client,
  leadKey: LeadKey,
  title: string,
  options: CallOptions | undefined,
): Promise<CallResult<object>> {
  const series = new Series(leadKey);
  const send: Send = (operation, input) => resultOf(client, operation, input, options);
  const first = await series.read(send, 1, isUnknownOrRefused);
  if (!first) {
    throw new ScreenAdvertisingError(
      'not_found',
      `found no coupon of ${leadKey.lead} that ${fromHere}`,
      { title, remedy: `${madeElsewhere} Only its code finds that one.` },
    );
  }
  const { data, code, nth: _nth, ...response } = await series.newest(send, first);
  const note = `This is the newest coupon that was made for this lead with this prefix and key. ${stateOf(data)} Whether the service would create another one is not known until you try.`;
  return {
    ...response,
    attempts: 1,
    data: { ...data, code: data.code ?? code, coupon_note: note },
  };
}

/** The coupon with a code. Rejects with a `not_found` error if it is not known to be the lead's. */
export async function getOfLead(
  client: Client,
  code: string,
  lead: string | undefined,
  options: CallOptions | undefined,
): Promise<CallResult<object>> {
  const result = await resultOf(client, coupons.get, { code }, options);
  const { lead_email: owner } = result.data;
  if (lead === undefined || emailKey(owner) === emailKey(lead)) return result;
  const why =
    owner == null ? 'the service does not show whose it is' : 'it belongs to another lead';
  throw new ScreenAdvertisingError('not_found', `found no coupon ${code} of ${lead}: ${why}`, {
    title: coupons.get.title,
    remedy: 'Check the code and the address.',
  });
}

const resultOf = (
  client: Client,
  operation: Operation,
  input: Fields,
  options: CallOptions | undefined,
): Promise<CallResult<Fields>> =>
  (client.call(operation, input, options) as unknown as CallPromise<Fields>).withResponse();

/** Leaves out letters and digits that people confuse. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 10;

/** More coupons than any lead gets; a service that finds every code would be searched for ever. */
const maxCoupons = 1024;

/** The codes of a lead, one after the other. */
class Series {
  readonly #of: LeadKey;

  constructor(of: LeadKey) {
    this.#of = of;
  }

  /** Shows nothing of the address, and cannot be computed without the key. */
  async codeOf(nth: number): Promise<string> {
    const { key, prefix, lead } = this.#of;
    const digest = await hmacSha256(key, JSON.stringify([prefix, emailKey(lead), nth]));
    const letters = [...digest.subarray(0, length)].map((byte) => alphabet[byte % 32]);
    return prefix + letters.join('');
  }

  /** Undefined if the service has no coupon with that code. */
  async read(send: Send, nth: number, isMissing = isUnknown): Promise<Found | undefined> {
    const code = await this.codeOf(nth);
    try {
      const found = await send(coupons.get, { code });
      return { ...found, data: found.data as Fields, code, nth };
    } catch (error) {
      if (ScreenAdvertisingError.isInstance(error) && isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Doubles the number until a code is missing, then halves the distance. */
  async newest(send: Send, first: Found): Promise<Found> {
    let newest = first;
    let missing: number | undefined;
    while (missing === undefined || missing - newest.nth > 1) {
      const nth: number =
        missing === undefined ? newest.nth * 2 : Math.floor((newest.nth + missing) / 2);
      if (nth > maxCoupons) {
        const summary = `found more than ${maxCoupons} coupons of one lead`;
        throw new ScreenAdvertisingError('unexpected_response', summary, {
          title: coupons.create.title,
          remedy: 'Check that the base URL leads to the service.',
        });
      }
      const found = await this.read(send, nth);
      if (found) newest = found;
      else missing = nth;
    }
    return newest;
  }
}

/** The responses of the assumption `unknownCoupon`, after a request that shows the scope. */
function isUnknown({ status = 0, problem }: ScreenAdvertisingError): boolean {
  return problem !== undefined && [400, 403, 404].includes(status);
}

/** Before it, a 403 may be about the scope. */
const isUnknownOrRefused = (error: ScreenAdvertisingError): boolean =>
  error.status !== 403 && isUnknown(error);

interface Settled {
  readonly coupon: FoundRecord;
  readonly told: Told;
}

/** A request that was refused, or got no response. */
interface Ended {
  readonly error: ScreenAdvertisingError;
  readonly isLost: boolean;
  /** Which code it had. */
  readonly nth: number;
  readonly code: string;
}

/** Finds out what became of a request. */
class Settling {
  readonly #series: Series;
  readonly #input: Fields;
  readonly #send: Send;

  constructor(series: Series, input: Fields, send: Send) {
    this.#series = series;
    this.#input = input;
    this.#send = send;
  }

  async settle(ended: Ended, isAnother: boolean): Promise<Settled> {
    const first = (await this.#read(ended)) ?? this.#missing(ended);
    if (!isAnother) return this.#existing(first, ended);
    const newest = await this.#series.newest(this.#send, first);
    // The service would refuse another one as long as this one is active.
    if (statusOf(newest.data) === 'active') return this.#existing(newest, ended);
    return this.#createAfter(newest, ended);
  }

  async #createAfter(newest: Found, before: Ended): Promise<Settled> {
    let isLost = false;
    const operation: Operation = {
      ...coupons.create,
      recovery: {
        async resolveLost({ error }) {
          isLost = true;
          throw error;
        },
      },
    };
    const nth = newest.nth + 1;
    const code = await this.#series.codeOf(nth);
    try {
      const coupon = await this.#send(operation, { ...this.#input, code });
      return { coupon: withCode(coupon, code), told: { created: true } };
    } catch (error) {
      if (!ScreenAdvertisingError.isInstance(error)) throw error;
      if (!isLost && error.code !== 'conflict') throw refusedCode(error, code);
      const ended = { error, isLost, nth, code };
      // Another call may have made it at the same time.
      const next = await this.#read(ended);
      if (next) return this.#existing(next, ended);
      if (error.code !== 'conflict' || hasEnded(newest.data)) throw this.#missing(ended);
      return this.#existing(newest, before);
    }
  }

  /** The coupon with the code of the request. After a lost response, a failure proves nothing. */
  async #read({ error, isLost, nth }: Ended): Promise<Found | undefined> {
    return await this.#series.read(this.#send, nth).catch((failure: unknown) => {
      const isOwn = isLost && ScreenAdvertisingError.isInstance(failure);
      throw isOwn ? outcomeUnknown(coupons.create.title, error, mayExist) : failure;
    });
  }

  /** Throws what is known when no coupon has the code of the request. */
  #missing({ error, code }: Ended): never {
    if (error.code !== 'conflict') throw outcomeUnknown(coupons.create.title, error, mayExist);
    const [why, remedy] = missing[couponConflict(error.problem, code)];
    throw this.#refused(error, why, remedy);
  }

  /** The coupon that the lead has, if it has the terms that were asked for. */
  #existing({ data, code, nth: _nth, ...response }: Found, { error, isLost }: Ended): Settled {
    const differences = differencesOf(data, this.#input);
    if (differences.length > 0) {
      const state = hasEnded(data) ? ` (${statusOf(data)})` : '';
      const why = `has the coupon ${code}${state} with ${differences.join(' and ')}`;
      throw this.#refused(error, why, otherTerms);
    }
    return { coupon: withCode({ ...response, data }, code), told: tellOf(data, isLost) };
  }

  #refused(error: ScreenAdvertisingError, why: string, remedy: string): ScreenAdvertisingError {
    const { status, said, problem, headers, requestId } = error;
    const lead = String(this.#input.lead_email);
    const isConflict = error.code === 'conflict';
    return new ScreenAdvertisingError('conflict', `created nothing: ${lead} ${why}`, {
      title: coupons.create.title,
      remedy,
      ...(isConflict && { status, said, problem, headers, requestId }),
    });
  }
}

/** Which fields a record has is not shown (section 2.4). */
function withCode<Result extends Pick<FoundRecord, 'data'>>(result: Result, code: string): Result {
  const data = result.data as Fields;
  return { ...result, data: { ...data, code: data.code ?? code } };
}

/** The caller cannot correct a code that is made here, so the error says what to choose instead. */
function refusedCode(error: ScreenAdvertisingError, code: string): ScreenAdvertisingError {
  const { status, said, problem, headers, requestId } = error;
  const words = `${problem?.title ?? ''} ${problem?.detail ?? ''}`;
  if (error.code !== 'invalid_request' || !/\bcode\b/i.test(words)) return error;
  const summary = `failed: the service rejected the code ${code} (${status})`;
  return new ScreenAdvertisingError('invalid_request', summary, {
    title: coupons.create.title,
    remedy: 'Choose Let the Service Choose under Without a Code, or a shorter Code Prefix.',
    ...{ status, said, problem, headers, requestId },
  });
}

const mayExist = {
  summary: 'got no clear response, so the coupon may exist',
  remedy: 'Retrying is safe: it finds the coupon by its lead, or creates it.',
  isRetryable: true,
};
const fromHere = 'was made with this prefix and key';
const causes =
  'elsewhere, with another Code Prefix, or before the Coupon Key or, without one, the secret changed';
const madeElsewhere = `A coupon may exist that was made ${causes}.`;
/** Why the service refused a code that no coupon has, and what to do. */
const missing = {
  code: [
    'has no coupon, but its code is taken',
    'Another access may use the same Coupon Key: choose another Code Prefix.',
  ],
  lead: [
    `has an active coupon that was not made with this prefix and key`,
    `Revoke it by its code first. It was made ${causes}.`,
  ],
  either: [
    `has no coupon that ${fromHere}`,
    `An active coupon may have been made ${causes}: revoke it by its code first. Or the code is taken: choose another Code Prefix.`,
  ],
} as const;
const otherTerms =
  'Ask for these terms, revoke it first, or give each campaign its own Code Prefix.';

/** A type, a value and redemptions that differ. Fields that the service does not show are not compared. */
function differencesOf(found: Fields, wanted: Fields): string[] {
  const known = (name: string) => found[name] != null;
  const isSame = (name: string, other: unknown) => plain(found[name]) === plain(other);
  const { lead_email, discount_type, discount_value, max_redemptions = 1 } = wanted;
  if (known('lead_email') && emailKey(found.lead_email) !== emailKey(lead_email)) {
    return [`the lead ${String(found.lead_email)}`];
  }
  const isDiscount =
    (!known('discount_type') || isSame('discount_type', discount_type)) &&
    (!known('discount_value') || isSame('discount_value', discount_value));
  const isCount = !known('max_redemptions') || isSame('max_redemptions', max_redemptions);
  return [
    ...(isDiscount ? [] : [`${discountOf(found)} instead of ${discountOf(wanted)}`]),
    ...(isCount
      ? []
      : [`${String(found.max_redemptions)} redemptions instead of ${String(max_redemptions)}`]),
  ];
}

function discountOf({ discount_type: type, discount_value: value }: Fields): string {
  const units: Readonly<Record<string, string>> = {
    percent: ' percent',
    amount_cents: ' cents',
    free_days: ' free days',
  };
  return `${plain(value)}${units[plain(type)] ?? ` ${plain(type)}`}`;
}

/** What can be said of a coupon that this call did not make for certain. */
function tellOf(coupon: Fields, isLost: boolean): Told {
  const who = isLost
    ? 'A response was lost, so whether this call created the coupon is not known.'
    : 'Nothing was created: the lead had this coupon before.';
  const other = hasEnded(coupon) ? ' Whether the lead has another coupon is not known.' : '';
  return {
    created: isLost ? null : false,
    coupon_note: `${who} ${stateOf(coupon)}${other}`,
  };
}

function stateOf(coupon: Fields): string {
  const status = statusOf(coupon);
  if (status === '') return 'It may be over: the service shows no status.';
  return hasEnded(coupon) ? `It is over: its status is ${status}.` : `Its status is ${status}.`;
}
