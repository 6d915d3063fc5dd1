import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createSandbox, type Sandbox, type Snapshot } from '@screen-advertising/sandbox';
import { SeededRandom } from '../../../packages/sandbox/src/state/random.ts';
import { cases, seed } from '../../support/tier.ts';
import { inspectorPaths } from '../inspector/support.ts';

jest.setTimeout(1_800_000);

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Holder = Record<string, Json>;

/** Values that a person, another program or a broken disk could have written. */
const pool: [Json, ...Json[]] = [
  null,
  ...[true, [], [null], {}, { id: 1 }],
  ...[0, -1, 0.5, 7, 2 ** 53, 1e300, -1e300, 8.64e15, -62167219200001],
  ...['', 'x', '..', 'a/b?c#d', '<script>alert(1)</script>', '\ud800', '__proto__', 'full', 'DE'],
  ...['31.03.2027', '2027-02-30T00:00:00Z', '0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z'],
  ...['2027-03-01T09:00:01Z', '9999-12-31T23:59:59Z', 'http://[', 'ftp://127.0.0.1/'],
  ...['http://127.0.0.1:1/', 'http://user:50%off@127.0.0.1:1/'],
];

/** Every place in a JSON value: `holder[name]`. */
function placesIn(holder: Holder): [holder: Holder, name: string][] {
  return Object.entries(holder).flatMap(([name, value]) => {
    const inside = value !== null && typeof value === 'object';
    return [[holder, name], ...(inside ? placesIn(value as Holder) : [])];
  });
}

/** Removes, copies, renames or replaces one value inside a JSON value. */
function mutate(value: object, random: SeededRandom): string {
  const places = placesIn(value as Holder);
  const [holder, name] = random.pick(places as [(typeof places)[0], ...typeof places]);
  const [source, other] = random.pick(places as [(typeof places)[0], ...typeof places]);
  const old = holder[name] ?? null;
  const kind = random.integer(0, 8);
  if (kind === 0 && Array.isArray(holder)) holder.push(structuredClone(old));
  else if (kind <= 1 && Array.isArray(holder)) holder.splice(Number(name), 1);
  else if (kind <= 1) delete holder[name];
  else if (kind === 2) holder[`${name}x`] = old;
  else if (kind <= 4) holder[name] = structuredClone(source[other] ?? null);
  else if (kind === 5 && typeof old === 'number') holder[name] = old + random.integer(-1000, 1000);
  else if (kind === 5 && typeof old === 'string') holder[name] = `${old}${old}`;
  else holder[name] = structuredClone(random.pick(pool));
  return `${name} ${JSON.stringify(holder[name])?.slice(0, 80)} (${kind})`;
}

let sandbox: Sandbox;
let base: string;

async function send(method: string, path: string, body?: unknown) {
  const [{ apiKey }] = sandbox.accesses;
  const response = await sandbox.fetch(`http://127.0.0.1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** A little of everything: coupons of every status, a user, a token, and a retry that is due. */
beforeAll(async () => {
  sandbox = createSandbox({
    clock: 'frozen',
    startAt: '2027-03-01T09:00:00Z',
    screens: 3,
    rateLimit: { requests: 1_000_000, tokenRequests: 1_000_000 },
  });
  sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
  const fields = { discount_type: 'percent', discount_value: 5, valid_until: '2027-04-01' };
  for (const code of ['A', 'B', 'C']) {
    const lead = { lead_email: `${code}@example.com`, lead_metadata: { crm_id: '42' } };
    await send('POST', '/api/v1/coupons', { ...fields, ...lead, code });
  }
  await send('POST', '/api/v1/coupons/B/revoke');
  await sandbox.coupons.redeem('C');
  await sandbox.fire('campaign_request.created');
  const [{ clientId, clientSecret }] = sandbox.accesses;
  const credentials = { client_id: clientId, client_secret: clientSecret };
  await send('POST', '/api/v1/oauth/token', credentials);
  const snapshot = sandbox.snapshot();
  // Mutations hit the other parts more often.
  snapshot.data.users.splice(3);
  snapshot.data.campaignRequests.splice(2, snapshot.data.campaignRequests.length - 4);
  base = JSON.stringify(snapshot);
});
afterAll(() => sandbox.close());

/** A request for each kind of record of a state, and for each page. */
function everyRequest({ data }: Snapshot): [method: string, path: string, body?: unknown][] {
  const key = (entries: readonly (readonly [string, unknown])[]) =>
    encodeURIComponent(entries[0]?.[0].toWellFormed() ?? 'none');
  const [screen, coupon] = [key(data.screens), key(data.coupons)];
  const email = encodeURIComponent(String(data.users[0]?.[1].email).toWellFormed());
  const lead = { discount_type: 'percent', discount_value: 5, lead_email: 'new@example.com' };
  return [
    ['GET', '/api/v1/screens?bbox=-180,-90,180,90'],
    ['GET', `/api/v1/screens/${screen}`],
    ['GET', `/api/v1/screens/${screen}/availability?from=2027-03-01&to=2027-03-02`],
    ['GET', `/thumbnails/${screen}.svg`],
    ['GET', '/landing?utm_source=full'],
    ['GET', `/api/v1/coupons/${coupon}`],
    ['POST', '/api/v1/coupons', lead],
    ['POST', `/api/v1/coupons/${coupon}/revoke`, {}],
    ['GET', `/api/v1/users/lookup?email=${email}`],
    ['GET', '/api/v1/campaign-requests?status=rejected&from=2020-01-01&to=2030-01-01'],
    ['GET', `/api/v1/campaign-requests/${key(data.campaignRequests)}`],
    ...inspectorPaths.map((path) => ['GET', path] as [string, string]),
    ...['accesses', 'clock', 'webhooks', 'deliveries', 'state'].map((name): [string, string] => [
      'GET',
      `/_sandbox/${name}`,
    ]),
    ['POST', '/_sandbox/screens', { id: data.screens[0]?.[0], used_sov_pct: 3 }],
    ['POST', '/_sandbox/users', {}],
    ['POST', '/_sandbox/campaign-requests', {}],
    ['POST', '/_sandbox/events', { type: 'campaign.paid' }],
    ['POST', '/_sandbox/events', { type: 'campaign_request.rejected', access: 'second' }],
    ['POST', '/_sandbox/events', { type: 'coupon.redeemed' }],
    ['POST', `/_sandbox/deliveries/${key(data.deliveries)}/redeliver`],
    ['POST', '/_sandbox/clock/advance', { ms: 3_000 }],
    ['POST', '/_sandbox/clock/freeze'],
    ['POST', '/_sandbox/clock/advance', { ms: 31_622_400_000 }],
    ['GET', '/inspector/events'],
  ];
}

it('a mutated snapshot is rejected, or leaves a sandbox that responds to everything', async () => {
  const runs = cases(4000);
  const failed: string[] = [];
  let accepted = 0;
  for (let run = 0; run < runs; run += 1) {
    const random = new SeededRandom(seed * 1_003 + run);
    const snapshot = JSON.parse(base);
    const done = [mutate(snapshot, random)];
    if (run % 2 === 0) done.push(mutate(snapshot, random));
    const note = (what: string) => failed.push(`${run}: ${done.join('; ')}: ${what}`);
    const put = await send('PUT', '/_sandbox/state', snapshot);
    if (put.status !== 204) {
      if (put.status !== 400) note(put.text);
      continue;
    }
    accepted += 1;
    // Due tasks may fail where no request sees it.
    for (let turn = 0; turn < 30; turn += 1) await setImmediate();
    for (const [method, path, body] of everyRequest(sandbox.snapshot())) {
      const { status, text } = await send(method, path, body);
      if (status >= 500) note(`${method} ${path} ${status} ${text}`);
    }
    // A sandbox must accept its own state, or a state file could not start again.
    const again = await send('PUT', '/_sandbox/state', sandbox.snapshot());
    if (again.status !== 204) note(`its own snapshot ${again.text}`);
  }
  expect(failed).toEqual([]);
  expect(accepted).toBeGreaterThan(runs / 20);
  expect(accepted).toBeLessThan(runs / 2);
});
