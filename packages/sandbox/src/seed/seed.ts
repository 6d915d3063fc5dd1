import type { Accesses } from '../accesses/access.ts';
import { Random } from '../random.ts';
import type { StoredCampaignRequest, StoredData, StoredUser } from '../state/stored-records.ts';
import { makeScreen } from './make-screens.ts';

/** The records of a new sandbox. The same options generate the same data. */
export function makeSeed(seed: number, count: number, accesses: Accesses): StoredData {
  const random = new Random(seed);
  const screens = Array.from({ length: count }, (_, index) => makeScreen(random, index + 1));
  const users = makeUsers(random, accesses);
  const campaignRequests = makeCampaignRequests(random, accesses);
  return {
    screens: screens.map((screen) => [screen.id, screen]),
    users: users.map((user) => [user.user_id, user]),
    campaignRequests: campaignRequests.map((request) => [request.id, request]),
    coupons: [],
    tokens: [],
    webhooks: [],
    deliveries: [],
    counters: {
      scr: screens.length,
      usr: users.length,
      cr: campaignRequests.length,
      screenPosition: screens.length,
      campaignRequestPosition: campaignRequests.length,
    },
    random: random.state,
  };
}

/**
 * The first one is the user that the documentation's examples look up. VAT numbers are well-formed,
 * but not assigned to a real company.
 */
const people = [
  { email: 'lead@example.com', vatUid: 'DE123456789' },
  { email: 'anna.becker@example.com', vatUid: 'DE287364510' },
  { email: 'jonas.weber@example.com', vatUid: null },
  { email: 'office@baeckerei-lindner.example', vatUid: 'DE310924475' },
  { email: 'marta.nowak@example.com', vatUid: 'PL5261040828' },
  { email: 'hello@fitwerk.example', vatUid: 'ATU62895731' },
  { email: 'camille.dubois@example.com', vatUid: 'FR40303265045' },
  { email: 'sven.jansen@example.com', vatUid: null },
  { email: 'marketing@kaffeekontor.example', vatUid: 'DE244670823' },
  { email: 'lucia.garcia@example.com', vatUid: 'ESB58378431' },
  { email: 'info@velo-zuerich.example', vatUid: 'CHE116281710' },
  { email: 'pieter.devries@example.com', vatUid: 'NL004495445B01' },
  { email: 'events@kinopalast.example', vatUid: 'DE198275631' },
  { email: 'emma.larsen@example.com', vatUid: 'DK13585628' },
  { email: 'oliver.smith@example.com', vatUid: 'GB980780684' },
  { email: 'studio@yogaraum.example', vatUid: 'ATU57192846' },
  { email: 'petr.novak@example.com', vatUid: 'CZ25123891' },
  { email: 'team@moebelhaus-sander.example', vatUid: 'DE276615932' },
];

const firstRegistration = Date.UTC(2026, 0, 5, 9);
const dayMs = 24 * 60 * 60 * 1000;

/**
 * The first access referred a third of the users, the second another third, and the rest have no
 * referrer.
 */
function makeUsers(random: Random, accesses: Accesses): StoredUser[] {
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
function makeCampaignRequests(random: Random, accesses: Accesses): StoredCampaignRequest[] {
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
