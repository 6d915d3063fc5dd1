import { type SandboxContext, timestamp } from '../context.ts';
import type { StoredUser, UserFields } from '../state/records.ts';
import type { Store } from '../state/store.ts';
import { given } from './given.ts';

/** Adds a user, or changes the one with the same id or, where none is given, e-mail address, whatever its case. */
export function addUser(context: SandboxContext, fields: UserFields): StoredUser {
  const { store } = context;
  const known = knownUser(store, fields);
  const user = {
    ...(known ?? newUser(context, fields.user_id ?? store.nextId('usr'))),
    ...given(fields),
  };
  store.users.set(user.user_id, user);
  return user;
}

/** The user that these fields are about; undefined when it would be a new one. */
export function knownUser(
  { users }: Store,
  { user_id, email }: UserFields,
): StoredUser | undefined {
  if (user_id !== undefined) return users.get(user_id);
  const wanted = email?.toLowerCase();
  return [...users.values()].find((user) => user.email.toLowerCase() === wanted);
}

function newUser(context: SandboxContext, userId: string): StoredUser {
  return {
    user_id: userId,
    email: `${userId.replace('_', '-')}@example.com`,
    vat_uid: null,
    registered_at: timestamp(context),
    has_bookings: false,
    referredBy: null,
  };
}
