import { type SandboxContext, timestamp } from '../context.ts';
import type { StoredUser } from '../state/records.ts';
import { textOr } from './text-or.ts';

/** Adds a user, or changes the one with the same id or, where none is given, e-mail address. */
export function addUser(context: SandboxContext, data: Record<string, unknown>): StoredUser {
  const { store } = context;
  const userId = textOr(data.user_id, '') || idOfEmail(context, data.email) || store.nextId('usr');
  const known = store.users.get(userId);
  const user: StoredUser = {
    user_id: userId,
    email: textOr(data.email, known?.email ?? `${userId.replace('_', '-')}@example.com`),
    vat_uid: textOr(data.vat_uid, known?.vat_uid ?? '') || null,
    registered_at: textOr(data.registered_at, known?.registered_at ?? timestamp(context)),
    has_bookings:
      typeof data.has_bookings === 'boolean' ? data.has_bookings : (known?.has_bookings ?? false),
    referredBy: textOr(data.referredBy, known?.referredBy ?? '') || null,
  };
  store.users.set(userId, user);
  return user;
}

function idOfEmail({ store }: SandboxContext, email: unknown): string | undefined {
  return [...store.users.values()].find((user) => user.email === email)?.user_id;
}
