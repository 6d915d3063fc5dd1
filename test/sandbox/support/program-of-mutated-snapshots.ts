import { setImmediate } from 'node:timers/promises';
import { createSandbox, type Sandbox, type Snapshot } from '@screen-advertising/sandbox';
import { Random } from '../../../packages/sandbox/src/random.ts';
import { everyRequest } from './every-request.ts';
import { mutate } from './mutate.ts';

/**
 * Restores mutated snapshots through the admin API and requests everything after each accepted one.
 * Prints its counts or, when it crashes, where. Arguments: number of snapshots, seed, index of the
 * first one.
 */
const [runs = 0, seed = 0, first = 0] = process.argv.slice(2).map(Number);
const counts = { accepted: 0, refused: 0, requests: 0 };
const failures: string[] = [];
let current = 'the start';
let isDone = false;

process.on('exit', () => {
  if (!isDone) process.stderr.write(`It died at ${current}\n`);
});

async function send(sandbox: Sandbox, method: string, path: string, body?: unknown) {
  const [{ apiKey }] = sandbox.accesses;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await sandbox.fetch(`http://127.0.0.1${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** A little of everything. */
async function livedIn(): Promise<Sandbox> {
  const sandbox = createSandbox({
    clock: 'frozen',
    startAt: '2027-03-01T09:00:00Z',
    screens: 3,
    webhookTimeoutMs: 2_000,
    rateLimit: { requests: 1_000_000, tokenRequests: 1_000_000 },
  });
  sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
  for (const code of ['A', 'B', 'C', 'D']) {
    const fields = {
      discount_type: 'percent',
      discount_value: 5,
      lead_email: `${code}@example.com`,
    };
    const lead_metadata = { crm_id: '42' };
    await send(sandbox, 'POST', '/api/v1/coupons', {
      ...fields,
      code,
      lead_metadata,
      valid_until: '2027-04-01',
    });
  }
  await send(sandbox, 'POST', '/api/v1/coupons/B/revoke');
  await sandbox.coupons.redeem('C');
  await sandbox.clock.advance(3_600_000);
  await sandbox.fire('campaign_request.created');
  const [{ clientId, clientSecret }] = sandbox.accesses;
  const credentials = { client_id: clientId, client_secret: clientSecret };
  await send(sandbox, 'POST', '/api/v1/oauth/token', credentials);
  return sandbox;
}

/** Shortens the seed's long lists, so that mutations hit other parts more often. */
function small(snapshot: Snapshot): Snapshot {
  const { users, campaignRequests } = snapshot.data;
  users.splice(3);
  campaignRequests.splice(2, campaignRequests.length - 4);
  return snapshot;
}

/** Every other one has a running clock and a retry that is due. */
function unchanged(run: number): Snapshot {
  const snapshot = JSON.parse(base) as Snapshot;
  const { clock } = snapshot;
  if (run % 2 === 0 || clock.frozenAt === null) return snapshot;
  return { ...snapshot, clock: { offsetMs: clock.frozenAt + 60_000 - Date.now(), frozenAt: null } };
}

/** Lets due tasks run: they may fail where no request sees it. */
async function letTimersRun(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await setImmediate();
}

const sandbox = await livedIn();
const base = JSON.stringify(small(sandbox.snapshot()));
for (let run = first; run < first + runs; run += 1) {
  const snapshot = unchanged(run);
  const done = mutate(snapshot, new Random(seed * 1_000_003 + run));
  current = `snapshot ${run} of seed ${seed}: ${done.join('; ')}`;
  const put = await send(sandbox, 'PUT', '/_sandbox/state', snapshot);
  if (put.status !== 204) {
    counts.refused += 1;
    if (put.status !== 400)
      failures.push(`${current}: PUT /_sandbox/state ${put.status} ${put.text}`);
    continue;
  }
  counts.accepted += 1;
  await letTimersRun();
  for (const [method, path, body] of everyRequest(sandbox.snapshot())) {
    const { status, text } = await send(sandbox, method, path, body);
    counts.requests += 1;
    if (path.endsWith('/run')) await letTimersRun();
    if (status >= 500) failures.push(`${current}: ${method} ${path} ${status} ${text}`);
  }
  // A sandbox must accept its own state, or a state file could not start again.
  const again = await send(sandbox, 'PUT', '/_sandbox/state', sandbox.snapshot());
  if (again.status !== 204) failures.push(`${current}: its own snapshot ${again.text}`);
}
await sandbox.close();
isDone = true;
process.stdout.write(JSON.stringify({ ...counts, failures: failures.slice(0, 20) }));
