import * as z from 'zod/mini';
import { booleanOut, email, type KnownFields, objectOut, text, textOut } from './field-types.ts';
import { operation, resourceOf } from './operation.ts';

/** Section 2.5. Only `exists: false` for an unknown user, otherwise the record. */
export const userLookup = z
  .looseObject({
    exists: booleanOut('Exists'),
    user_id: textOut('User ID'),
    registered_at: textOut('Registered At'),
    has_bookings: booleanOut('Has Bookings'),
    /** Only present if you referred the user. */
    attribution: objectOut('Attribution', 'Only present if you referred the user'),
  })
  .check(z.meta({ title: 'User Lookup' }));

/** The result of a lookup (section 2.5): `{ exists: false }` for an unknown user. */
export interface UserLookup extends KnownFields<typeof userLookup> {}

const exactlyOne = z.refine<{ email?: unknown; vat_uid?: unknown }>(
  (input) => (input.email === undefined) !== (input.vat_uid === undefined),
  { path: ['email'], error: 'or vat_uid must be set, but not both' },
);

const resource = resourceOf(
  'User',
  'Users',
  'Whether a user exists, and whether you referred them.',
);

const lookupUser = operation({
  name: 'user.lookup',
  title: 'Look Up User',
  description:
    'Looks up whether a user exists, by email address or VAT number, and whether you referred them.',
  section: '4.8',
  resource,
  method: 'GET',
  path: '/users/lookup',
  scopes: ['users:read'],
  successStatus: 200,
  responseKind: 'record',
  input: z
    .strictObject({
      /** Email address of the user. Set this or VAT Number, not both. */
      email: z.optional(
        email({
          title: 'Email',
          description: 'Email address of the user. Set this or VAT Number, not both.',
          examples: ['lead@example.com'],
        }),
      ),
      /** The user's or company's VAT number. Set this or Email, not both. */
      vat_uid: z.optional(
        text({
          title: 'VAT Number',
          description: "The user's or company's VAT number. Set this or Email, not both.",
          examples: ['DE123456789'],
        }),
      ),
    })
    .check(exactlyOne),
  output: userLookup as z.ZodMiniType<UserLookup>,
  // Leaves out the attribution, which only users referred by the caller have.
  sample: { user_id: 'usr_0001', registered_at: '2027-03-01T09:30:00Z', has_bookings: false },
});

export const users = {
  /**
   * Looks up whether a user exists, by email address or VAT number, and whether you referred them.
   * Section 4.8; scope `users:read`.
   */
  lookup: lookupUser,
} as const;
