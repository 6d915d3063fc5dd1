import type { SandboxContext } from '../state/context.ts';
import type { StoredUser } from '../state/stored-records.ts';
import type { RouteNotes, Routes } from './route.ts';

export const userRoutes = {
  'user.lookup'({ context, access, input }) {
    const user = findUser(context, input);
    if (!user) return Response.json({ data: { exists: false } });
    const record = {
      user_id: user.user_id,
      registered_at: user.registered_at,
      has_bookings: user.has_bookings,
      ...(user.referredBy === access.id && {
        attribution: { referred: true, referred_at: user.registered_at },
      }),
    };
    return Response.json(lookupBody(context.variants.userLookup, record));
  },
} satisfies Partial<Routes>;

export const userRouteNotes = {
  'user.lookup': { isUnderData: true },
} as const satisfies Readonly<Record<string, RouteNotes>>;

function lookupBody(variant: SandboxContext['variants']['userLookup'], record: object): object {
  if (variant === 'bare') return record;
  return { data: variant === 'data-with-exists' ? { exists: true, ...record } : record };
}

function findUser(
  { store }: SandboxContext,
  { email, vat_uid }: { email?: string | undefined; vat_uid?: string | undefined },
): StoredUser | undefined {
  const wanted = (email ?? vat_uid)?.toLowerCase();
  return [...store.users.values()].find(
    (user) => (email === undefined ? user.vat_uid : user.email)?.toLowerCase() === wanted,
  );
}
