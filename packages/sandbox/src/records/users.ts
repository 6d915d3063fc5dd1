import { type SandboxContext, timestamp } from '../context.ts';
import type { StoredUser, UserFields } from '../state/records.ts';
import { given } from './given.ts';

/** Adds a user, or changes the one with the same id or, where none is given, e-mail address. */
export function addUser(context: SandboxContext, fields: UserFields): StoredUser {
  const { store } = context;
  const userId = fields.user_id ?? idOfEmail(context, fields.email) ?? store.nextId('usr');
  const known = store.users.get(userId);
  const user = { ...(known ?? newUser(context, userId)), ...given(fields) };
  store.users.set(userId, user);
  return user;
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

function idOfEmail({ store }: SandboxContext, email: string | undefined): string | undefined {
  return [...store.users.values()].find((user) => user.email === email)?.user_id;
}
