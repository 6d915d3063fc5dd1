import { expect, it } from '@jest/globals';
import { userLookupFacts } from '../../../shared/src/forms/user-facts.ts';

const user = { user_id: 'u1', registered_at: '2027-03-01T09:30:00Z', has_bookings: false };

it.each<[record: object, exists: boolean, referred_by_you: boolean]>([
  [user, true, false],
  [{ ...user, attribution: {} }, true, true],
  [{ ...user, attribution: { source: 'x' } }, true, true],
  [{ ...user, attribution: null }, true, false],
  [{ ...user, exists: null }, true, false],
  [{ ...user, exists: true }, true, false],
  [{ exists: true }, true, false],
  [{ exists: false }, false, false],
  [{ exists: 'false', user_id: null }, false, false],
  [{}, false, false],
])('of %j it is known whether the user exists, and is yours', (record, exists, referred_by_you) => {
  expect(userLookupFacts(record)).toEqual({ exists, referred_by_you });
});
