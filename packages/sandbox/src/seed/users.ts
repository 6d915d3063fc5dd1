import type { Accesses } from '../accesses/access.ts';
import type { Random } from '../random.ts';
import type { StoredUser } from '../state/records.ts';
import { people } from './people.ts';

const firstRegistration = Date.UTC(2026, 0, 5, 9);
const dayMs = 24 * 60 * 60 * 1000;

/** A third of the users is referred by the first access, a third by the second, the rest by nobody. */
export function makeUsers(random: Random, accesses: Accesses): StoredUser[] {
  const referrers = [accesses[0].id, accesses[1]?.id ?? null, null];
  return people.map(({ email, vatUid }, index) => ({
    user_id: `usr_${String(index + 1).padStart(4, '0')}`,
    email,
    vat_uid: vatUid,
    registered_at: new Date(
      firstRegistration + index * 9 * dayMs + random.integer(0, dayMs),
    ).toISOString(),
    has_bookings: index % 2 === 0,
    referredBy: referrers[index % referrers.length] ?? null,
  }));
}
