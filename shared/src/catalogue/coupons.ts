import * as z from 'zod/mini';
import { createdOnce, revokedOnce } from './coupon-recovery.ts';
import {
  choice,
  dateOrTime,
  email,
  identifier,
  integer,
  json,
  matches,
  number,
  numberOut,
  optional,
  textOut,
  valueOut,
} from './field-types.ts';
import { operation, resourceOf } from './operation.ts';

interface Discount {
  readonly discount_type?: unknown;
  readonly discount_value?: unknown;
}

/** Cents and days must be whole numbers. */
const isPossible = ({ discount_type: type, discount_value: value }: Discount): boolean =>
  typeof value !== 'number' || (type === 'percent' ? value <= 100 : Number.isInteger(value));

/** Whether the value fits its type. */
export const possibleDiscount = z.refine<Discount>(isPossible, {
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
  discount_type: choice(discountTypes, {
    title: 'Discount Type',
    description: 'How the discount is measured.',
  }),
  discount_value: number(0, {
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
  lead_email: email({
    title: 'Lead Email',
    description:
      'Email address of the lead. A lead can have only one active coupon from you at a time.',
    examples: ['lead@example.com'],
  }),
  code: optional(
    identifier({
      title: 'Code',
      description:
        'Your own code for the coupon, which makes retries safe. Default: the service generates one in the pattern BVCC-XXXX.',
      examples: ['SPRING-25'],
    }).check(...matches(/^\S*$/, 'must have no spaces, such as SPRING-25')),
    'is harmless',
  ),
  max_redemptions: optional(
    integer(1, 1000, {
      title: 'Maximum Redemptions',
      description: 'How many times the coupon can be redeemed, 1 to 1000. Default: 1.',
      examples: [1],
    }),
    'is harmless',
  ),
  valid_until: optional(
    dateOrTime({
      title: 'Valid Until',
      description:
        'When the coupon expires: a date such as 2027-03-31 or a timestamp such as 2027-03-31T23:59:59Z.',
      examples: ['2027-03-31'],
    }),
    'widens',
    'No End',
  ),
  lead_metadata: optional(
    json({
      title: 'Lead Metadata',
      description:
        'Anything you want to keep with the coupon, as JSON, such as a campaign name or a CRM ID.',
      examples: [{ crm_id: '42' }],
    }),
    'is harmless',
  ),
};

/** Section 2.4. Which fields the service returns is not shown, so each of them may be missing. */
export const coupon = z
  .looseObject({
    code: textOut('Code', 'Code of the coupon'),
    status: textOut('Status', 'State of the coupon, in the words of the service'),
    discount_type: valueOut<keyof typeof discountTypes>(
      'Discount Type',
      'How the discount is measured',
    ),
    discount_value: numberOut('Discount Value', 'Size of the discount'),
    lead_email: textOut('Lead Email', 'Email address of the lead'),
    max_redemptions: numberOut(
      'Maximum Redemptions',
      'How many times the coupon can be redeemed',
      'times',
    ),
    valid_until: textOut('Valid Until', 'When the coupon expires'),
    lead_metadata: z.optional(
      z
        .unknown()
        .check(z.meta({ title: 'Lead Metadata', description: 'What you keep with the coupon' })),
    ),
  })
  .check(z.meta({ title: 'Coupon' }));

const code = identifier({
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

const resource = resourceOf('Coupon', 'Coupons', 'Discount coupons, each tied to one lead.');

const getCoupon = operation({
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
  output: coupon,
  sample,
});

const createCoupon = operation({
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
  recovery: createdOnce(getCoupon),
  callerKey: 'code',
  input: z.strictObject(couponFields).check(possibleDiscount),
  output: coupon,
  sample,
});

const revokeCoupon = operation({
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
  output: coupon,
  sample: { code: sample.code },
});

export const coupons = {
  create: createCoupon,
  get: getCoupon,
  revoke: revokeCoupon,
} as const;
