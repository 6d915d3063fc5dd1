import { hmacSha256 } from '#crypto';
import {
  comparableText,
  couponOperations,
  couponRecoveryPolicy,
  couponStatusOf,
  differingTerms,
  hasCouponEnded,
} from '../catalogue/coupons.ts';
import type { FoundRecord, RecoveryContext } from '../catalogue/operation.ts';
import { outcomeUnknown } from '../errors/error-classes.ts';
import { type Problem, ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { emailKey } from '../forms/texts.ts';

type Fields = Readonly<Record<string, unknown>>;
type Coupon = FoundRecord & { readonly data: Fields };
export type CallOperation = RecoveryContext['call'];

/** Whose coupon, and in which series: each prefix and each key has its own. */
interface LeadKey {
  /** The Coupon Key, or the secret of the access. */
  readonly key: string;
  readonly prefix: string;
  readonly lead: string;
}

/**
 * Creates the coupon of a lead, or returns the one that the lead has. The service keeps one active
 * coupon for each lead and access (section 4.5, rule 3), so the code follows from the lead: a
 * retry, a rerun and another platform send the same one, and a conflict leads to its coupon.
 */
export function createCouponForLead(
  send: CallOperation,
  input: Fields,
  { isAnother, ...leadKey }: LeadKey & { readonly isAnother: boolean },
): Promise<Coupon> {
  const series = new Series(leadKey);
  const existing = (found: Coupon, ended: Ended) => existingCoupon(found, input, ended);
  async function post(via: CallOperation, nth: number, settle: Settle): Promise<Coupon> {
    const code = await series.codeOf(nth);
    return await create(via, { ...input, code }, async ({ error, call }, isLost) => {
      if (!isLost && error.code !== 'conflict') throw refusedCode(error, code);
      const found = await series.read(call, nth).catch((failure: unknown) => {
        // After a lost response, a failure of the read proves nothing.
        const isOwn = isLost && ScreenAdvertisingError.isInstance(failure);
        throw isOwn ? outcomeUnknown(couponOperations.create.title, error, mayExist) : failure;
      });
      return await settle(found, { call, error, isLost, code });
    });
  }
  return post(send, 1, async (first, ended) => {
    if (!first) throw missingCoupon(input, ended);
    const newest = isAnother ? await series.newest(ended.call, first) : first;
    // The service would refuse another one as long as this one is active.
    if (!isAnother || couponStatusOf(newest.data) === 'active') return existing(newest, ended);
    return await post(ended.call, newest.nth + 1, async (next, again) => {
      // Another call may have made it at the same time.
      if (next) return existing(next, again);
      const isKept = again.error.code === 'conflict' && !hasCouponEnded(newest.data);
      if (!isKept) throw missingCoupon(input, again);
      return existing(newest, ended);
    });
  });
}

/**
 * Creates a coupon whose code the caller or the service chooses. `adoptExisting` also returns the
 * coupon that has the caller's code, lead and terms.
 */
export function createCouponWithCode(send: CallOperation, input: Fields): Promise<Coupon> {
  const { probeByResending, resolveLost, resolveConflict } = couponRecoveryPolicy(
    couponOperations.get,
  );
  return create(
    send,
    input,
    async (ended, isLost) => {
      try {
        const found = await (isLost ? resolveLost(ended) : resolveConflict(ended));
        return told(found as Coupon, isLost);
      } catch (error) {
        const isConflict = ScreenAdvertisingError.isInstance(error) && error.code === 'conflict';
        throw isConflict ? conflictWith(error, input, ended.adoptExisting) : error;
      }
    },
    probeByResending,
  );
}

/**
 * The newest coupon of a lead in a series. Rejects with a `not_found` error if there is none: the
 * service itself finds no coupon by its lead.
 */
export async function findCouponOfLead(send: CallOperation, leadKey: LeadKey): Promise<Coupon> {
  const series = new Series(leadKey);
  // Before a coupon was found, a 403 may be about the scope.
  const first = await series.read(send, 1, [400, 404]);
  if (!first)
    throw notFound(
      `found no coupon of ${leadKey.lead} that ${fromHere}`,
      `${madeElsewhere} Only its code finds that one.`,
    );
  const { nth: _nth, ...newest } = await series.newest(send, first);
  const coupon_note = `This is the newest coupon that was made for this lead with this prefix and key. ${stateOf(newest.data)} Whether the service would create another one is not known until you try.`;
  return { ...newest, data: { ...newest.data, coupon_note } };
}

/** The coupon with a code. Rejects with a `not_found` error if it is not known to be that lead's. */
export async function getCouponOfLead(
  send: CallOperation,
  code: string,
  lead: string,
): Promise<FoundRecord> {
  const result = await send(couponOperations.get, { code });
  const { lead_email: owner } = result.data as Fields;
  if (lead === '' || emailKey(owner) === emailKey(lead)) return result;
  const why =
    owner == null ? 'the service does not show whose it is' : 'it belongs to another lead';
  throw notFound(`found no coupon ${code} of ${lead}: ${why}`, 'Check the code and the address.');
}

const notFound = (summary: string, remedy: string): ScreenAdvertisingError =>
  new ScreenAdvertisingError('not_found', summary, {
    title: couponOperations.get.title,
    remedy,
  });

/** Finds out what became of a request that was refused, or whose response was lost. */
async function create(
  send: CallOperation,
  input: Fields,
  settle: (ended: RecoveryContext, isLost: boolean) => Promise<Coupon>,
  probeByResending: (input: Fields) => boolean = () => true,
): Promise<Coupon> {
  let known: Fields = { created: true };
  const settled = (isLost: boolean) => async (ended: RecoveryContext) => {
    const coupon = await settle(ended, isLost);
    known = {};
    return coupon;
  };
  const recovery = {
    probeByResending,
    resolveLost: settled(true),
    resolveConflict: settled(false),
  };
  const { data, ...response } = (await send(
    { ...couponOperations.create, recovery },
    input,
  )) as Coupon;
  // Which fields a record has is not shown (section 2.4).
  return { ...response, data: { ...data, code: data.code ?? input.code, ...known } };
}

/** Leaves out letters and digits that people confuse. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 10;

/** More coupons than any lead gets. */
const maxCoupons = 1024;

/** Which one of the series a coupon is. */
type Found = Coupon & { readonly nth: number };

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

  /** Undefined if the service has no coupon with that code: see the assumption `unknownCoupon`. */
  async read(
    send: CallOperation,
    nth: number,
    unknown = [400, 403, 404],
  ): Promise<Found | undefined> {
    const code = await this.codeOf(nth);
    try {
      const { data, ...response } = (await send(couponOperations.get, { code })) as Coupon;
      return { ...response, data: { ...data, code: data.code ?? code }, nth };
    } catch (error) {
      const isUnknown =
        ScreenAdvertisingError.isInstance(error) &&
        error.problem &&
        unknown.includes(error.status ?? 0);
      if (isUnknown) return undefined;
      throw error;
    }
  }

  /** Doubles the number until a code is missing, then halves the distance. */
  async newest(send: CallOperation, first: Found): Promise<Found> {
    let [newest, missing, isDoubling] = [first, maxCoupons + 1, true];
    while (missing - newest.nth > 1) {
      const nth = isDoubling ? newest.nth * 2 : Math.floor((newest.nth + missing) / 2);
      const found = await this.read(send, nth);
      if (found) newest = found;
      else [missing, isDoubling] = [nth, false];
    }
    return newest;
  }
}

/** A request that was refused, or got no response. */
interface Ended extends Pick<RecoveryContext, 'call' | 'error'> {
  readonly isLost: boolean;
  readonly code: string;
}

/** Continues with the coupon that has the code of the request, if one has it. */
type Settle = (found: Found | undefined, ended: Ended) => Promise<Coupon>;

/** The error when no coupon has the code of the request. */
function missingCoupon(input: Fields, { error, code }: Ended): ScreenAdvertisingError {
  if (error.code !== 'conflict')
    return outcomeUnknown(couponOperations.create.title, error, mayExist);
  const [why, remedy] = missing[couponConflict(error.problem, code)];
  return createdNothing(error, `${input.lead_email} ${why}`, remedy);
}

/** The error for a coupon whose code is not made from the lead, by what it conflicts with. */
function conflictWith(
  error: ScreenAdvertisingError,
  input: Fields,
  isAdopting: boolean,
): ScreenAdvertisingError {
  const { code, lead_email: lead } = input;
  const exists = `the code ${code} exists`;
  const has = `${lead} has an active coupon`;
  const other = isAdopting
    ? 'Choose another code: the coupon that has it is over, or of another lead or discount.'
    : 'Choose another code, or Return It under If the Code Exists for the same lead and discount.';
  const free = 'Get the coupon by its lead or code, or revoke it first.';
  const [why, remedy] = {
    code: [exists, other],
    lead: [has, free],
    either: [`${exists}, or ${has}`, `${other} ${free}`],
  }[couponConflict(error.problem, String(code ?? ''))] as [string, string];
  return createdNothing(error, why, remedy);
}

/** The coupon that the lead has, if it has the terms that were asked for. */
function existingCoupon(found: Coupon, input: Fields, { error, isLost }: Ended): Coupon {
  const { data } = found;
  const differences = differencesOf(data, input);
  if (differences.length === 0) return told(found, isLost);
  const state = hasCouponEnded(data) ? ` (${couponStatusOf(data)})` : '';
  const why = `${input.lead_email} has the coupon ${data.code}${state} with ${differences.join(' and ')}`;
  throw createdNothing(error, why, otherTerms);
}

function createdNothing(
  error: ScreenAdvertisingError,
  why: string,
  remedy: string,
): ScreenAdvertisingError {
  // Any other error is about a lost response, and says nothing of the conflict.
  const said = error.code === 'conflict' ? responseOf(error) : {};
  return new ScreenAdvertisingError('conflict', `created nothing: ${why}`, {
    title: couponOperations.create.title,
    remedy,
    ...said,
  });
}

const responseOf = ({ status, said, problem, headers, requestId }: ScreenAdvertisingError) => ({
  ...{ status, said, problem, headers, requestId },
});

/** The caller cannot correct a code that is made here, so the error says what to choose instead. */
function refusedCode(error: ScreenAdvertisingError, code: string): ScreenAdvertisingError {
  const { status, problem } = error;
  const words = `${problem?.title ?? ''} ${problem?.detail ?? ''}`;
  if (error.code !== 'invalid_request' || !/\bcode\b/i.test(words)) return error;
  const summary = `failed: the service rejected the code ${code} (${status})`;
  return new ScreenAdvertisingError('invalid_request', summary, {
    title: couponOperations.create.title,
    remedy: 'Choose Let the Service Choose under Without a Code, or a shorter Code Prefix.',
    ...responseOf(error),
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

/** The terms that differ, in words. */
function differencesOf(found: Fields, wanted: Fields): string[] {
  const names = differingTerms(found, wanted);
  const isOtherLead = emailKey(found.lead_email) !== emailKey(wanted.lead_email);
  if (names.includes('lead_email') && isOtherLead) return [`the lead ${found.lead_email}`];
  const isOther = names.includes('discount_type') || names.includes('discount_value');
  const counts = `${found.max_redemptions} redemptions instead of ${wanted.max_redemptions ?? 1}`;
  return [
    ...(isOther ? [`${discountOf(found)} instead of ${discountOf(wanted)}`] : []),
    ...(names.includes('max_redemptions') ? [counts] : []),
  ];
}

function discountOf({ discount_type: type, discount_value: value }: Fields): string {
  const units: Readonly<Record<string, string>> = {
    percent: ' percent',
    amount_cents: ' cents',
    free_days: ' free days',
  };
  return `${comparableText(value)}${units[comparableText(type)] ?? ` ${comparableText(type)}`}`;
}

/** The coupon, and what can be said of it where this call did not make it for certain. */
function told(coupon: Coupon, isLost: boolean): Coupon {
  const { data } = coupon;
  const who = isLost
    ? 'A response was lost, so whether this call created the coupon is not known.'
    : 'Nothing was created: the lead had this coupon before.';
  const other = hasCouponEnded(data) ? ' Whether the lead has another coupon is not known.' : '';
  const coupon_note = `${who} ${stateOf(data)}${other}`;
  return { ...coupon, data: { ...data, created: isLost ? null : false, coupon_note } };
}

function stateOf(coupon: Fields): string {
  const status = couponStatusOf(coupon);
  if (status === '') return 'It may be over: the service shows no status.';
  return hasCouponEnded(coupon)
    ? `It is over: its status is ${status}.`
    : `Its status is ${status}.`;
}

/**
 * Says what a new coupon conflicts with (section 7): its code is taken, or its lead has one.
 * Only the words of the service tell, since the contract does not show the values of `type`. `code`
 * is that of the request, if the caller knows it: it may be any word, and without one only the lead
 * can conflict.
 */
export function couponConflict(
  problem: Problem | undefined,
  code?: string,
): 'code' | 'lead' | 'either' {
  if (code === '') return 'lead';
  const words = `${problem?.title ?? ''} ${problem?.detail ?? ''}`;
  const said = code === undefined ? words : words.replaceAll(code, '');
  const isLead = /\blead|e-?mail|active/i.test(said);
  const isCode = /\bcode\b.*\b(taken|use|exists?)/i.test(said);
  if (isLead === isCode) return 'either';
  return isLead ? 'lead' : 'code';
}
