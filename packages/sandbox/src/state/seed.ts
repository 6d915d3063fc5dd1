import type { PartnerAccesses } from '../access/access.ts';
import { SeededRandom } from './random.ts';
import type {
  StoredCampaignRequest,
  StoredData,
  StoredScreen,
  StoredUser,
} from './stored-records.ts';

/** The records of a new sandbox. The same options generate the same data. */
export function makeSeed(seed: number, count: number, accesses: PartnerAccesses): StoredData {
  const random = new SeededRandom(seed);
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
function makeUsers(random: SeededRandom, accesses: PartnerAccesses): StoredUser[] {
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
function makeCampaignRequests(
  random: SeededRandom,
  accesses: PartnerAccesses,
): StoredCampaignRequest[] {
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

const firstDay = Date.UTC(2024, 2, 4, 8);

/** Every eleventh screen cannot be booked: half of them are switched off, half are withdrawn. */
const notBookableEvery = 11;

/** The screen at this position, counted from 1. Cities alternate. */
export function makeScreen(random: SeededRandom, position: number): StoredScreen {
  const index = position - 1;
  const city = cities[index % cities.length] ?? cities[0];
  const numberInCity = Math.floor(index / cities.length) + 1;
  const venue = random.pick(venues);
  const street = random.pick(city.streets);
  const bookable = position % notBookableEvery !== 0;
  return {
    id: `scr_${city.name.toLowerCase()}_${String(numberInCity).padStart(4, '0')}`,
    name: `${street} ${venue.label}`,
    description: venue.description,
    country: city.country,
    city: city.name,
    address: `${street} ${random.integer(1, 180)}, ${city.name}`,
    // Within walking distance of the city center.
    latitude: degrees(city.latitude + (random.next() - 0.5) * 0.06),
    longitude: degrees(city.longitude + (random.next() - 0.5) * 0.09),
    orientation: venue.orientation,
    resolution_width: venue.width,
    resolution_height: venue.height,
    price_per_day_cents: roundPrice(
      venue.pricePerDayCents * city.priceLevel * (0.8 + random.next() * 0.5),
    ),
    ad_sov_pct: random.integer(4, 20) * 5,
    venue_type: venue.type,
    is_active: bookable || position % (notBookableEvery * 2) === 0,
    created_at: new Date(firstDay + index * dayMs * 2 + random.integer(0, dayMs)).toISOString(),
    bookable,
    used_sov_pct: null,
    position,
  };
}

function degrees(value: number): number {
  return Number(value.toFixed(5));
}

function roundPrice(cents: number): number {
  return Math.round(cents / 50) * 50;
}

/** Name, country, latitude and longitude of the center, price level (Berlin: 1), streets. */
const cities = rowsOf(
  `
Berlin; DE; 52.5163; 13.3777; 1; Friedrichstraße, Karl-Marx-Allee, Kantstraße, Schönhauser Allee, Torstraße
Hamburg; DE; 53.5503; 9.9921; 1; Mönckebergstraße, Jungfernstieg, Osterstraße, Reeperbahn, Steindamm
Munich; DE; 48.1372; 11.5755; 1.3; Leopoldstraße, Sendlinger Straße, Rosenheimer Straße, Kaufingerstraße
Cologne; DE; 50.9384; 6.9599; 0.9; Hohe Straße, Venloer Straße, Schildergasse, Aachener Straße
Vienna; AT; 48.2084; 16.3731; 1.1; Mariahilfer Straße, Kärntner Straße, Landstraßer Hauptstraße, Favoritenstraße
Graz; AT; 47.0707; 15.4395; 0.7; Herrengasse, Annenstraße, Sporgasse, Jakoministraße
Zurich; CH; 47.3744; 8.5411; 1.8; Bahnhofstrasse, Langstrasse, Löwenstrasse, Badenerstrasse
Paris; FR; 48.8566; 2.3522; 1.6; Rue de Rivoli, Boulevard Voltaire, Avenue de Clichy, Rue Oberkampf
Lyon; FR; 45.764; 4.8357; 0.9; Rue de la République, Cours Lafayette, Avenue Jean Jaurès, Rue Garibaldi
Amsterdam; NL; 52.3731; 4.8926; 1.3; Damrak, Kinkerstraat, Ferdinand Bolstraat, Rozengracht, Overtoom
Rotterdam; NL; 51.9225; 4.4792; 1; Coolsingel, Witte de Withstraat, Lijnbaan, Nieuwe Binnenweg
Copenhagen; DK; 55.6761; 12.5683; 1.4; Strøget, Vesterbrogade, Nørrebrogade, Amagerbrogade
Warsaw; PL; 52.2297; 21.0122; 0.6; Marszałkowska, Nowy Świat, Puławska, Aleje Jerozolimskie
Prague; CZ; 50.0755; 14.4378; 0.7; Vinohradská, Na Příkopě, Národní, Sokolovská
Madrid; ES; 40.4168; -3.7038; 1; Gran Vía, Calle de Alcalá, Calle de Serrano, Calle de Bravo Murillo
London; GB; 51.5074; -0.1278; 1.9; Oxford Street, Camden High Street, Brixton Road, Kingsland Road, Strand
`,
  ([name = '', country = '', latitude, longitude, priceLevel, streets = '']) => ({
    name,
    country,
    latitude: Number(latitude),
    longitude: Number(longitude),
    priceLevel: Number(priceLevel),
    streets: streets.split(', ') as [string, ...string[]],
  }),
);

/**
 * Type, what follows the street in a screen's name, orientation, width, height, price per day in
 * Berlin, description.
 */
const venues = rowsOf(
  `
shopping_mall; mall entrance; portrait; 1080; 1920; 3900; Free-standing pillar at the main entrance, seen by everyone who comes in.
train_station; station concourse; landscape; 3840; 2160; 8900; Large wall above the concourse, opposite the departure board.
gym; gym floor; landscape; 1920; 1080; 1500; Screen above the treadmills. Members look at it for half an hour at a time.
cafe; café counter; landscape; 1920; 1080; 900; Behind the counter, in view of the queue.
shop_window; shop window; portrait; 1080; 1920; 1900; Bright window screen that faces the pavement and runs until midnight.
supermarket; supermarket checkout; landscape; 1920; 1080; 2400; Above the checkouts, one picture across three lanes.
cinema; cinema foyer; square; 2160; 2160; 2900; Square wall beside the ticket desk.
petrol_station; petrol station forecourt; portrait; 1080; 1920; 2100; Weatherproof screen between the pumps.
roadside; roadside board; landscape; 2880; 1440; 12900; LED board at a crossing with long red lights.
`,
  ([type = '', label = '', orientation = '', width, height, cents, description = '']) => ({
    type,
    label,
    orientation,
    width: Number(width),
    height: Number(height),
    pricePerDayCents: Number(cents),
    description,
  }),
);

function rowsOf<Row>(table: string, read: (cells: string[]) => Row): [Row, ...Row[]] {
  const rows = table.trim().split('\n');
  return rows.map((row) => read(row.split('; '))) as [Row, ...Row[]];
}
