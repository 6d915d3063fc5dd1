import * as z from 'zod/mini';
import {
  couponFields,
  couponOperations,
  couponSchema,
  discountFitsItsType,
} from '../catalogue/coupons.ts';
import {
  choiceField,
  identifierField,
  matchesPattern,
  optionalField,
  textOutput,
} from '../catalogue/field-types.ts';
import type { DescribedOperation, FoundRecord, Operation } from '../catalogue/operation.ts';
import type { ApiKeyAuth, ClientCredentialsAuth } from '../client/auth.ts';
import { CallPromise } from '../client/call-promise.ts';
import { parseInput } from '../client/request.ts';
import type { CallOptions } from '../client/run.ts';
import type { Client } from '../create-client.ts';
import { ConfigurationError } from '../errors/error-classes.ts';
import { operations } from '../operations.ts';
import type { Coupon, CouponCreateParams } from '../types/coupons.ts';
import {
  type CallOperation,
  createCouponForLead,
  createCouponWithCode,
  findCouponOfLead,
  getCouponOfLead,
} from './series.ts';

/** What Create Coupon takes where the code may follow from the lead. */
export interface LeadCouponParams extends CouponCreateParams {
  /** What the code is without one of yours. Default: `lead`. */
  readonly without_code?: 'lead' | 'service' | undefined;
  /** Begins the code that is made from the lead. Each prefix has its own coupons. Default: none. */
  readonly code_prefix?: string | undefined;
  /** Whether a lead gets another coupon once the service takes one. Default: `return`. */
  readonly if_lead_had_one?: 'return' | 'create' | undefined;
  /** Whether your code may be that of the same coupon, made before. Default: `fail`. */
  readonly if_code_exists?: 'fail' | 'return' | undefined;
}

/** What Get Coupon takes where it also finds a coupon by its lead. */
export interface GetCouponParams {
  /** The code of the coupon. With a lead, the coupon must be theirs. */
  readonly code?: string | undefined;
  /** Email address of the lead. Without a code, the newest coupon that was made for them. */
  readonly lead_email?: string | undefined;
  /** The code prefix with which the coupon was created. Default: none. */
  readonly code_prefix?: string | undefined;
}

/** A coupon, and what is known of it beside its record. */
export interface LeadCoupon extends Coupon {
  /** Whether this call created the coupon; null if that is not known. */
  readonly created?: boolean | null | undefined;
  /** What else is known, such as that the coupon is over. */
  readonly coupon_note?: string | null | undefined;
}

const noSpaces = matchesPattern(/^\S*$/, 'must have no spaces, such as SPRING-');

const codePrefix = identifierField({
  title: 'Code Prefix',
  description:
    'Begins the code made from the lead. Each prefix has separate coupons, such as one for each campaign. Default: none.',
  examples: ['SPRING-'],
}).check(...noSpaces);

const choices = {
  without_code: choiceField(
    { lead: 'Make One From the Lead', service: 'Let the Service Choose' },
    {
      title: 'Without a Code',
      description:
        'Where the code comes from. Only one from the lead can be found again. Default: the lead.',
    },
  ),
  code_prefix: codePrefix,
  if_lead_had_one: choiceField(
    { return: 'Return It', create: 'Create Another' },
    {
      title: 'If the Lead Had One Before',
      description:
        'Create Another gives a lead whose coupon is over a new one, in each run. Default: return it.',
    },
  ),
  if_code_exists: choiceField(
    { fail: 'Fail', return: 'Return It' },
    {
      title: 'If the Code Exists',
      description: 'Return It needs the same lead and discount. Default: fail.',
    },
  ),
};

const withCode = 'cannot be set beside code';
const ofService = 'cannot be set if the service chooses the code';

interface Source {
  readonly code?: unknown;
  readonly without_code?: unknown;
}

/** Has an effect only where the code is made from the lead. */
const onlyByLead = (field: 'without_code' | 'code_prefix' | 'if_lead_had_one') =>
  z.refine<Source & { readonly [Name in typeof field]?: unknown }>(
    ({ [field]: given, code, without_code: by }) =>
      given === undefined || (code === undefined && (given === by || by !== 'service')),
    {
      path: [field],
      error: ({ input }) => ((input as Source).code === undefined ? ofService : withCode),
    },
  );

const code = optionalField(
  identifierField({
    title: 'Code',
    description:
      'Your own code. Default: one made from the lead, so that a retry finds the coupon.',
    examples: ['SPRING-25'],
  }).check(...matchesPattern(/^\S*$/, 'must have no spaces, such as SPRING-25')),
  'is harmless',
);

const record = z
  .looseObject({
    ...couponSchema.shape,
    created: z.nullish(z.boolean()).check(
      z.meta({
        title: 'Created',
        description: 'Whether this call created it; null if not known',
      }),
    ),
    coupon_note: textOutput('Coupon Note', 'What is known of it, such as that it is over'),
  })
  .check(z.meta({ title: 'Coupon' }));

const { without_code, code_prefix, if_lead_had_one, if_code_exists } = choices;

const create = {
  ...couponOperations.create,
  description: 'Creates a discount coupon for a lead, or returns the one the lead has.',
  input: z
    .strictObject({
      ...couponFields,
      code,
      without_code: optionalField(without_code, 'is harmless'),
      code_prefix: optionalField(code_prefix, 'is harmless'),
      if_lead_had_one: optionalField(if_lead_had_one, 'is harmless'),
      if_code_exists: optionalField(if_code_exists, 'is harmless'),
    })
    .check(
      discountFitsItsType,
      onlyByLead('without_code'),
      onlyByLead('code_prefix'),
      onlyByLead('if_lead_had_one'),
    ),
  output: record,
  sample: { ...couponOperations.create.sample, created: true },
};

const { created: _created, ...found } = record.shape;

const get = {
  ...couponOperations.get,
  description: 'Gets a coupon by its code, or the newest one that was made here for a lead.',
  input: z
    .strictObject({
      code: optionalField(couponOperations.get.input.shape.code, 'widens'),
      lead_email: optionalField(couponFields.lead_email, 'widens'),
      code_prefix: optionalField(code_prefix, 'is harmless'),
    })
    .check(
      z.refine(
        ({ code, lead_email }) => code !== undefined || lead_email !== undefined,
        'code or lead_email is required',
      ),
      onlyByLead('code_prefix'),
    ),
  output: z.looseObject(found).check(z.meta({ title: 'Coupon' })),
};

/** The operations in which a coupon belongs to its lead: see `withLeadCoupons`. */
export const leadCouponOperations: {
  readonly create: DescribedOperation<'coupon.create', LeadCouponParams, LeadCoupon, 'record'>;
  readonly get: DescribedOperation<'coupon.get', GetCouponParams, LeadCoupon, 'record'>;
} = { create, get } as never;

/** Every operation as each platform offers it. */
export const shownOperations: readonly Operation[] = Object.values<Operation>({
  ...operations,
  'coupon.create': leadCouponOperations.create,
  'coupon.get': leadCouponOperations.get,
});

/**
 * A client whose `call` also takes the operations of `leadCouponOperations`, with codes that are made from
 * the lead with this key. Everyone with the same key finds the same coupons.
 */
export function withLeadCoupons(client: Client, key: string): Client {
  const own: Readonly<
    Record<string, (input: unknown, options: CallOptions) => Promise<FoundRecord>>
  > = {
    'coupon.get': async (input, options) => {
      const {
        code,
        lead_email: lead = '',
        code_prefix: prefix = '',
      } = parseInput(leadCouponOperations.get, input);
      if (code !== undefined) return await getCouponOfLead(sendWith(client, options), code, lead);
      const { signal, stop } = client.startDeadline(get.title, options);
      const send = sendWith(client, { ...options, signal });
      return await findCouponOfLead(send, { key, prefix, lead }).finally(stop);
    },
    'coupon.create': (input, options) => {
      const given = parseInput(leadCouponOperations.create, input);
      const { without_code: by, code_prefix: prefix = '', if_lead_had_one, ...rest } = given;
      const { if_code_exists, ...fields } = rest;
      if (fields.code !== undefined || by === 'service') {
        const adoptExisting = if_code_exists === 'return';
        return createCouponWithCode(sendWith(client, { ...options, adoptExisting }), fields);
      }
      const isAnother = if_lead_had_one === 'create';
      const leadKey = { key, prefix, lead: fields.lead_email };
      return createCouponForLead(sendWith(client, options), fields, { ...leadKey, isAnother });
    },
  };
  const call = (operation: Operation, input: unknown, options: CallOptions = {}) => {
    const run = own[operation.name];
    if (!run) return client.call(operation, input as never, options);
    return new CallPromise(async () => ({ attempts: 1, ...(await run(input, options)) }));
  };
  return { ...client, call: call as Client['call'] };
}

const sendWith =
  (client: Client, options: CallOptions): CallOperation =>
  (operation, input) =>
    (client.call(operation, input, options) as CallPromise<unknown>).withResponse();

/** A key this short could be guessed from a few codes. */
const minKey = 16;

/**
 * The key of the codes that are made from leads: the Coupon Key if one is set, else the secret of
 * the access, with which a new secret starts new coupons. Throws ConfigurationError.
 */
export function couponKeyOrSecret(
  given: unknown,
  auth: ApiKeyAuth | Pick<ClientCredentialsAuth, 'kind' | 'clientSecret'>,
): string {
  const key = typeof given === 'string' ? given.trim() : '';
  if (key === '') return auth.kind === 'api-key' ? auth.key : auth.clientSecret;
  if (key.length >= minKey) return key;
  throw new ConfigurationError(
    'couponKey',
    `The Coupon Key must have at least ${minKey} characters`,
    'Choose a long text, and keep it: it finds your coupons again.',
  );
}
