import * as z from 'zod/mini';
import { outcomeUnknown, type UnknownOutcome } from '../errors/error-classes.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord } from '../json.ts';
import {
  choiceField,
  dateOrTimeField,
  emailField,
  identifierField,
  integerField,
  jsonField,
  knownValueOutput,
  matchesPattern,
  numberField,
  numberOutput,
  optionalField,
  textOutput,
} from './field-types.ts';
import {
  defineOperation,
  defineResource,
  type FoundRecord,
  type Operation,
  type RecoveryContext,
  type RecoveryPolicy,
} from './operation.ts';

interface Discount {
  readonly discount_type?: unknown;
  readonly discount_value?: unknown;
}

/** Cents and days must be whole numbers. */
const isPossible = ({ discount_type: type, discount_value: value }: Discount): boolean =>
  typeof value !== 'number' || (type === 'percent' ? value <= 100 : Number.isInteger(value));

/** Whether the value fits its type. */
export const discountFitsItsType = z.refine<Discount>(isPossible, {
  path: ['discount_value'],
  error: ({ input }) => {
    const { discount_type: type } = input as Discount;
    if (type === 'percent') return 'must be at most 100 when the discount type is percent';
    return `must be a whole number of ${type === 'amount_cents' ? 'cents' : 'days'}`;
  },
});

const discountTypes = {
  percent: 'Percent',
  amount_cents: 'Amount in Currency Units',
  free_days: 'Free Days',
};

/** The fields that create a coupon (section 2.4). */
export const couponFields = {
  discount_type: choiceField(discountTypes, {
    title: 'Discount Type',
    description: 'How the discount is measured.',
  }),
  discount_value: numberField(0, {
    title: 'Discount Value',
    description:
      'The size of the discount, greater than 0. Percent: at most 100. Cents and days: whole numbers.',
    examples: [25],
    unit: {
      field: 'discount_type',
      units: { percent: 'percent', amount_cents: 'cents', free_days: 'days' },
      inForms:
        'The size of the discount, greater than 0. Percent: at most 100. Amount: in currency units, such as 12.50. Free days: a whole number.',
    },
  }),
  lead_email: emailField({
    title: 'Lead Email',
    description:
      'Email address of the lead. A lead can have only one active coupon from you at a time.',
    examples: ['lead@example.com'],
  }),
  code: optionalField(
    identifierField({
      title: 'Code',
      description:
        'Your own code for the coupon, which makes retries safe. Default: the service generates one in the pattern BVCC-XXXX.',
      examples: ['SPRING-25'],
    }).check(...matchesPattern(/^\S*$/, 'must have no spaces, such as SPRING-25')),
    'is harmless',
  ),
  max_redemptions: optionalField(
    integerField(1, 1000, {
      title: 'Maximum Redemptions',
      description: 'How many times the coupon can be redeemed, 1 to 1000. Default: 1.',
      examples: [1],
    }),
    'is harmless',
  ),
  valid_until: optionalField(
    dateOrTimeField({
      title: 'Valid Until',
      description:
        'When the coupon expires: a date such as 2027-03-31 or a timestamp such as 2027-03-31T23:59:59Z.',
      examples: ['2027-03-31'],
    }),
    'widens',
    'No End',
  ),
  lead_metadata: optionalField(
    jsonField({
      title: 'Lead Metadata',
      description:
        'Anything you want to keep with the coupon, as JSON, such as a campaign name or a CRM ID.',
      examples: [{ crm_id: '42' }],
    }),
    'is harmless',
  ),
};

/** Section 2.4. Which fields the service returns is not shown, so each of them may be missing. */
export const couponSchema = z
  .looseObject({
    code: textOutput('Code', 'Code of the coupon'),
    status: textOutput('Status', 'State of the coupon, in the words of the service'),
    discount_type: knownValueOutput<keyof typeof discountTypes>(
      'Discount Type',
      'How the discount is measured',
    ),
    discount_value: numberOutput('Discount Value', 'Size of the discount'),
    lead_email: textOutput('Lead Email', 'Email address of the lead'),
    max_redemptions: numberOutput(
      'Maximum Redemptions',
      'How many times the coupon can be redeemed',
      'times',
    ),
    valid_until: textOutput('Valid Until', 'When the coupon expires'),
    lead_metadata: z.optional(
      z
        .unknown()
        .check(z.meta({ title: 'Lead Metadata', description: 'What you keep with the coupon' })),
    ),
  })
  .check(z.meta({ title: 'Coupon' }));

const code = identifierField({
  title: 'Code',
  description: 'The code of the coupon.',
  examples: ['SPRING-25'],
});

/** Only fields that the caller sets or the service must return: the other ones are not shown. */
const sample = {
  code: 'SPRING-25',
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'lead@example.com',
};

const resource = defineResource('Coupon', 'Coupons', 'Discount coupons, each tied to one lead.');

const getCoupon = defineOperation({
  name: 'coupon.get',
  title: 'Get Coupon',
  description: 'Gets a coupon by its code.',
  section: '4.6',
  resource,
  method: 'GET',
  path: '/coupons/{code}',
  scopes: ['coupons:read', 'coupons:write'],
  successStatus: 200,
  responseShape: 'record',
  scannedField: 'code',
  input: z.strictObject({
    code,
  }),
  output: couponSchema,
  sample,
});

const createCoupon = defineOperation({
  name: 'coupon.create',
  title: 'Create Coupon',
  description: 'Creates a discount coupon for a lead.',
  section: '4.5',
  resource,
  method: 'POST',
  path: '/coupons',
  scopes: ['coupons:write'],
  successStatus: 201,
  responseShape: 'record',
  scannedField: 'code',
  recovery: couponRecoveryPolicy(getCoupon),
  callerKey: 'code',
  input: z.strictObject(couponFields).check(discountFitsItsType),
  output: couponSchema,
  sample,
});

const revokeCoupon = defineOperation({
  name: 'coupon.revoke',
  title: 'Revoke Coupon',
  description: 'Revokes a coupon that is active and not yet redeemed.',
  section: '4.7',
  resource,
  method: 'POST',
  path: '/coupons/{code}/revoke',
  body: 'none',
  scopes: ['coupons:write'],
  successStatus: 200,
  responseShape: 'record',
  allowsEmptyResponse: true,
  recovery: revokedOnce(getCoupon),
  input: z.strictObject({
    code,
  }),
  output: couponSchema,
  sample: { code: sample.code },
});

export const couponOperations = {
  create: createCoupon,
  get: getCoupon,
  revoke: revokeCoupon,
} as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Creates no coupon twice. When the caller chose the code, the service refuses the second request
 * because the code is taken (4.5, rule 2), and the coupon can be read back. Without a code, the
 * second request either creates the coupon or is refused because the lead has an active one (4.5,
 * rule 3); see the assumption `lostCoupon`.
 */
export function couponRecoveryPolicy(getCoupon: Operation): Required<RecoveryPolicy> {
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
        if (!hasCouponEnded(coupon) || (isConflict && isAdoptable(coupon, ended))) return found;
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
function revokedOnce(getCoupon: Operation): RecoveryPolicy {
  return {
    async resolveLost(ended) {
      const { operation, input, error } = ended;
      const { found } = await readBack(ended, getCoupon);
      if (found && couponStatusOf(found.data) === 'revoked') return found;
      // The coupon as it is says what became of the lost request.
      const isKnown =
        found && (couponStatusOf(found.data) === 'active' || hasCouponEnded(found.data));
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
export function differingTerms(found: Fields, wanted: Fields): readonly (typeof terms)[number][] {
  // Only the redemptions may be left out (section 2.4).
  return terms.filter(
    (name) =>
      found[name] != null && comparableText(found[name]) !== comparableText(wanted[name] ?? 1),
  );
}

/** Without the lead's email, the owner of a coupon is unknown. */
function ownerOf(found: Fields, wanted: Fields): 'caller' | 'other' | 'unknown' {
  if (found.lead_email == null) return 'unknown';
  return differingTerms(found, wanted).length === 0 ? 'caller' : 'other';
}

/** Numbers may arrive as text, such as "25.00". */
export function comparableText(value: unknown): string {
  const number = Number(value);
  return Number.isNaN(number) ? String(value).trim().toLowerCase() : String(number);
}

/** Empty if the service shows none. */
export const couponStatusOf = ({ status }: Fields): string =>
  status == null ? '' : comparableText(status);

/** A coupon that has ended existed before this call: no call creates one in that state. */
export function hasCouponEnded(coupon: Fields): boolean {
  return ['revoked', 'redeemed', 'expired'].includes(couponStatusOf(coupon));
}

/** The first run may be so long ago that the lead has redeemed the coupon since. */
function isAdoptable(coupon: Fields, { adoptExisting }: RecoveryContext): boolean {
  return adoptExisting && (!hasCouponEnded(coupon) || couponStatusOf(coupon) === 'redeemed');
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
