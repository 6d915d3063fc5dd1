import * as z from 'zod/mini';
import {
  booleanOutput,
  emailField,
  objectOutput,
  optionalField,
  textField,
  textOutput,
} from './field-types.ts';
import { defineOperation, defineResource } from './operation.ts';

/** Section 2.5. Only `exists: false` for an unknown user, otherwise the record. */
const userLookup = z
  .looseObject({
    exists: booleanOutput('Exists', 'False for an unknown user, and then the only field'),
    user_id: textOutput('User ID', 'ID of the user'),
    registered_at: textOutput('Registered At', 'When the user registered'),
    has_bookings: booleanOutput('Has Bookings', 'Whether the user has bookings'),
    attribution: objectOutput('Attribution', 'Only present if you referred the user'),
  })
  .check(z.meta({ title: 'User Lookup Result' }));

const exactlyOne = z.refine<{ email?: unknown; vat_uid?: unknown }>(
  (input) => (input.email === undefined) !== (input.vat_uid === undefined),
  { path: ['email'], error: 'or vat_uid must be set, but not both' },
);

const resource = defineResource(
  'User',
  'Users',
  'Whether a user exists, and whether you referred them.',
);

const lookupUser = defineOperation({
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
  responseShape: 'record',
  input: z
    .strictObject({
      email: optionalField(
        emailField({
          title: 'Email',
          description: 'Email address of the user. Set this or VAT Number, not both.',
          examples: ['lead@example.com'],
        }),
        'is harmless',
      ),
      vat_uid: optionalField(
        textField({
          title: 'VAT Number',
          description: "The user's or company's VAT number. Set this or Email, not both.",
          examples: ['DE123456789'],
        }),
        'is harmless',
      ),
    })
    .check(exactlyOne),
  output: userLookup,
  // Leaves out the attribution, which only users referred by the caller have.
  sample: { user_id: 'usr_0001', registered_at: '2027-03-01T09:30:00Z', has_bookings: false },
});

export const userOperations = {
  lookup: lookupUser,
} as const;
