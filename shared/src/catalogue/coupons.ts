import * as z from 'zod/mini';
import { createdOnce, revokedOnce } from './coupon-repair.ts';
import {
  choice,
  email,
  identifier,
  integer,
  json,
  number,
  numberOut,
  text,
  textOut,
} from './field-types.ts';
import { operation, resourceOf } from './operation.ts';

interface Discount {
  readonly discount_type?: unknown;
  readonly discount_value?: unknown;
}

/** Of cents and days there are only whole ones. */
const isPossible = ({ discount_type: type, discount_value: value }: Discount): boolean =>
  typeof value !== 'number' || (type === 'percent' ? value <= 100 : Number.isInteger(value));

const possibleDiscount = z.refine<Discount>(isPossible, {
  path: ['discount_value'],
  error: ({ input }) =>
    (input as Discount).discount_type === 'percent'
      ? 'must be at most 100 when the discount type is percent'
      : 'must be a whole number when the discount is in cents or in days',
});

const couponFields = {
  discount_type: choice(
    { percent: 'Percent', amount_cents: 'Amount in Cents', free_days: 'Free Days' },
    {
      title: 'Discount Type',
      description:
        'What the discount value counts: percent, an amount in cents, or days free of charge.',
    },
  ),
  discount_value: number(0, {
    title: 'Discount Value',
    description: 'How large the discount is. Greater than 0, and at most 100 for percent.',
    examples: [25],
  }),
  lead_email: email({
    title: 'Lead Email',
    description:
      'E-mail address of the lead that the coupon is for. A lead can have one active coupon of yours at a time.',
    examples: ['lead@example.com'],
  }),
  code: z.optional(
    identifier({
      title: 'Code',
      description:
        'Your own code for the coupon. With it a lost response is always repaired. Default: one in the pattern BVCC-XXXX that the service makes.',
      examples: ['SPRING-25'],
    }),
  ),
  max_redemptions: z.optional(
    integer(1, 1000, {
      title: 'Maximum Redemptions',
      description: 'How often the coupon can be redeemed, 1 to 1000. Without it once.',
      examples: [1],
    }),
  ),
  valid_until: z.optional(
    text({
      title: 'Valid Until',
      description:
        'When the coupon expires, as a date written YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z.',
      examples: ['2027-03-31'],
    }),
  ),
  lead_metadata: z.optional(
    json({
      title: 'Lead Metadata',
      description:
        'Anything you want to keep with the coupon, as JSON, such as a campaign name or a CRM identifier.',
      examples: [{ crm_id: '42' }],
    }),
  ),
};

/** Section 2.4. Which fields the service returns is not shown, so each of them may be missing. */
export const coupon = z
  .looseObject({
    code: textOut('Code'),
    status: textOut('Status'),
    discount_type: textOut('Discount Type'),
    discount_value: numberOut('Discount Value'),
    lead_email: textOut('Lead Email'),
    max_redemptions: numberOut('Maximum Redemptions'),
    valid_until: textOut('Valid Until'),
    lead_metadata: z.optional(z.unknown().check(z.meta({ title: 'Lead Metadata' }))),
  })
  .check(z.meta({ title: 'Coupon' }));

/** A coupon as the service gives it (section 2.4); unknown fields are kept. */
export type Coupon = z.output<typeof coupon>;

const code = identifier({
  title: 'Code',
  description: 'The code of the coupon.',
  examples: ['SPRING-25'],
});

/** Only what the caller sets, or the service must answer: what else a coupon holds is not shown. */
const sample = {
  code: 'SPRING-25',
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'lead@example.com',
};

const resource = resourceOf('Coupon', 'Discount coupons, each for one lead.');

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
  answer: 'record',
  repair: 'repeat',
  input: z.strictObject({ code }),
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
  answer: 'record',
  repair: createdOnce(getCoupon),
  callerKey: 'code',
  input: z.strictObject(couponFields).check(possibleDiscount),
  output: coupon,
  sample,
});

const revokeCoupon = operation({
  name: 'coupon.revoke',
  title: 'Revoke Coupon',
  description: 'Revokes a coupon that is still active and was not redeemed.',
  section: '4.7',
  resource,
  method: 'POST',
  path: '/coupons/{code}/revoke',
  hasBody: false,
  scopes: ['coupons:write'],
  successStatus: 200,
  answer: 'record',
  mayAnswerEmpty: true,
  repair: revokedOnce(getCoupon),
  input: z.strictObject({ code }),
  output: coupon,
  sample: { code: sample.code },
});

export const coupons = { create: createCoupon, get: getCoupon, revoke: revokeCoupon } as const;
