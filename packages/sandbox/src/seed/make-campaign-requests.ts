import type { Accesses } from '../accesses/access.ts';
import type { Random } from '../random.ts';
import type { StoredCampaignRequest } from '../state/stored-records.ts';
import { people } from './make-users.ts';

const statuses = ['rejected', 'abandoned', 'no_inventory', 'converted'] as const;
const industries = [
  'retail',
  'gastronomy',
  'fitness',
  'automotive',
  'real_estate',
  'events',
] as const;
const perAccess = 24;
const firstRequest = Date.UTC(2026, 3, 1, 7);
const hourMs = 60 * 60 * 1000;

/** Every access has requests of every status and industry. */
export function makeCampaignRequests(random: Random, accesses: Accesses): StoredCampaignRequest[] {
  return accesses.flatMap(({ id: accessId }, accessIndex) =>
    Array.from({ length: perAccess }, (_, index) => {
      const position = accessIndex * perAccess + index + 1;
      const createdAt = firstRequest + index * 50 * hourMs + random.integer(0, 8) * hourMs;
      return {
        id: `cr_${String(position).padStart(4, '0')}`,
        accessId,
        status: statuses[index % statuses.length] ?? null,
        industry: industries[random.integer(0, industries.length - 1)] ?? industries[0],
        email: people[index % people.length]?.email ?? 'lead@example.com',
        created_at: new Date(createdAt).toISOString(),
        updated_at: new Date(createdAt + random.integer(1, 72) * hourMs).toISOString(),
        position,
      };
    }),
  );
}
