import * as z from 'zod';
import { email, text } from './field-types.ts';
import { operation } from './operation.ts';

/** Section 2.5. `exists: false` alone for an unknown user, otherwise the record. */
export const userLookup = z
  .looseObject({
    exists: z.boolean().nullish().meta({ title: 'Exists' }),
    user_id: z.string().nullish().meta({ title: 'User ID' }),
    registered_at: z.string().nullish().meta({ title: 'Registered At' }),
    has_bookings: z.boolean().nullish().meta({ title: 'Has Bookings' }),
    attribution: z
      .looseObject({})
      .nullish()
      .meta({ title: 'Attribution', description: 'Present only when you referred the user' }),
  })
  .meta({ id: 'UserLookup' });

export type UserLookup = z.output<typeof userLookup>;

const exactlyOne = z.refine<{ email?: unknown; vat_uid?: unknown }>(
  (input) => (input.email === undefined) !== (input.vat_uid === undefined),
  { path: ['email'], error: 'or vat_uid must be given, and not both' },
);

export const lookupUser = operation({
  name: 'user.lookup',
  title: 'Look Up User',
  description:
    'Looks up whether a user exists, by e-mail address or VAT identifier, and whether you referred that user.',
  section: '4.8',
  resource: 'user',
  method: 'GET',
  path: '/users/lookup',
  scopes: ['users:read'],
  successStatus: 200,
  answer: 'record',
  repair: 'repeat',
  input: z
    .strictObject({
      email: email({
        title: 'Email',
        description: 'E-mail address of the user. Give this or the VAT identifier.',
        examples: ['lead@example.com'],
      }).optional(),
      vat_uid: text({
        title: 'VAT Identifier',
        description:
          'VAT identifier of the user or their company. Give this or the e-mail address.',
        examples: ['DE123456789'],
      }).optional(),
    })
    .check(exactlyOne),
  output: userLookup,
});
