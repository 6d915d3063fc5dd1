import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Sandbox } from '@screen-advertising/sandbox';
import { sql } from 'kysely';
import type { IDataObject } from 'n8n-workflow';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { deliverToN8n, lookUp, pollingTrigger, recordN8n, startN8n } from './n8n.ts';
import {
  happens,
  isWaiting,
  migrateTo,
  openTarget,
  recordRelay,
  relayPoller,
  startEngine,
  startOnRecorded,
  zapOf,
  zapTrigger,
} from './relay.ts';
import { openService, screenId, setAvailable } from './service.ts';
import { isRecording, type RecordedState, readRecorded, writeRecorded } from './state.ts';
import { clientWithStore, recordTokens } from './tokens.ts';
import { connectZapier, pollZaps, recordZapier } from './zapier.ts';

const folder = temporaryFolder();
const stateFile = () => path.join(folder(), 'sandbox.json');
let recorded: RecordedState;
let sandbox: Sandbox;

async function record(): Promise<void> {
  const service = await openService(stateFile());
  const n8n = await recordN8n(service);
  const zapier = await recordZapier(service);
  const tokens = await recordTokens(service);
  const relay = await recordRelay();
  jest.restoreAllMocks();
  await service.close();
  writeRecorded({
    n8n,
    zapier,
    tokens,
    relay,
    sandbox: JSON.parse(readFileSync(stateFile(), 'utf8')),
  });
}

beforeAll(async () => {
  if (isRecording) await record();
  recorded = readRecorded();
});

afterEach(() => {
  jest.restoreAllMocks();
});

beforeEach(async () => {
  writeFileSync(stateFile(), JSON.stringify(recorded.sandbox));
  sandbox = await openService(stateFile());
});

const tokenRequests = () =>
  sandbox.journal.list().filter(({ path }) => path.startsWith('/oauth/token')).length;

it('the sandbox continues with the records, tokens and time of its state file', async () => {
  expect(new Date(sandbox.clock.now()).toISOString()).toBe('2027-03-01T09:00:00.000Z');
  expect(sandbox.campaignRequests.list().map(({ id }) => id)).toContain('cr_before');
  expect(sandbox.screens.list().map(({ id }) => id)).toContain('scr_zap');
});

/** What a polling trigger stores, as far as a test changes it. */
interface Stored extends IDataObject {
  readonly lastPoll: {
    readonly parts: { readonly requests: { readonly state: { seen: object } } };
  };
}

describe('n8n', () => {
  it('a polling trigger continues where it was', async () => {
    const poller = pollingTrigger(await startN8n(sandbox), recorded.n8n.polling);
    sandbox.campaignRequests.add({ id: 'cr_before', status: 'converted' });
    sandbox.campaignRequests.add({ id: 'cr_after' });
    const items = await poller.poll();
    expect(items.map(({ json }) => json.type).toSorted()).toEqual([
      'campaign_request.converted',
      'campaign_request.converted',
      'campaign_request.created',
      'campaign_request.created',
      'screen.availability_falls_below',
      'screen.listed',
    ]);
  });

  it('a first poll that was interrupted takes the rest of a list as known', async () => {
    const key = 'node:Screen Advertising Polling Trigger';
    const state = structuredClone(recorded.n8n.polling[key]) as Stored;
    const { requests } = state.lastPoll.parts;
    Object.assign(requests, { onlyNotes: true }).state.seen = {};
    const poller = pollingTrigger(await startN8n(sandbox), { [key]: state });
    const items = await poller.poll();
    expect(items.map(({ json }) => json.type)).toEqual([
      'screen.listed',
      'screen.availability_falls_below',
    ]);
  });

  it('a webhook trigger knows what has started it', async () => {
    const database = { staticData: recorded.n8n.webhook };
    const engine = await startN8n(sandbox);
    const ids = ['evt_before', 'evt_after'];
    expect(await deliverToN8n(engine, sandbox, database, ids)).toEqual(['evt_after']);
  });

  it('a credential uses its token', async () => {
    const engine = await startN8n(sandbox, {
      screenAdvertisingClientCredentialsApi: recorded.n8n.credential,
    });
    const parameters = { ...lookUp, authentication: 'clientCredentials' };
    const { error } = await engine.runNode({ type: 'screenAdvertising', parameters });
    expect([error, tokenRequests()]).toEqual([undefined, 0]);
  });
});

describe('Zapier', () => {
  it('a trigger returns the changes of the last day with their IDs, and new ones', async () => {
    const { cache, connection, ran } = recorded.zapier;
    const runner = connectZapier(sandbox, { ...cache }, connection);
    sandbox.campaignRequests.add({ id: 'cr_zap', status: 'rejected' });
    setAvailable(sandbox, 50);
    const found = await pollZaps(runner);
    // The time of the first poll. What counts the changes of a record keeps their IDs apart.
    const time = /20\S+Z/;
    const added = Object.entries(found).map(([key, ids]) => [
      key,
      ids.filter((id) => !ran[key]?.includes(id)).map((id) => id.replace(time, '…')),
      ran[key]?.every((id) => ids.includes(id)),
    ]);
    expect(added).toEqual([
      ['campaign_request_status_changed', ['cr_zap rejected … 2'], true],
      ['new_screen', [], true],
      ['screen_availability_changed', ['scr_berlin_0001 rises_above … 2'], true],
    ]);
    expect(tokenRequests()).toBe(0);
  });

  it('a connection renews its token before it expires', async () => {
    const { connection } = recorded.zapier;
    const runner = connectZapier(sandbox, {}, connection);
    await sandbox.clock.advance(3_590_000);
    await pollZaps(runner);
    expect(tokenRequests()).toBe(1);
  });

  it('a connection renews a token that the service no longer accepts', async () => {
    const runner = connectZapier(sandbox, {}, recorded.zapier.connection);
    await sandbox.clock.advance(120_000);
    sandbox.faults.add({ fault: 'status', status: 403, path: '/campaign-requests', times: 1 });
    await pollZaps(runner);
    expect(tokenRequests()).toBe(1);
  });
});

it('a store of tokens holds one that is used', async () => {
  const client = clientWithStore(sandbox, new Map(recorded.tokens));
  expect(await client.screens.get({ screenId })).toMatchObject({ id: screenId });
  expect(tokenRequests()).toBe(0);
});

describe('the relay', () => {
  const tokenOf = (nth: number) => recorded.relay.connectorKeys[nth]?.split('.')[0] ?? '';

  it('delivers what its database holds, and nothing twice', async () => {
    const { accepted } = await openTarget();
    const running = await startOnRecorded(recorded.relay);
    await happens(running, 'new');
    await running.relay.clock.advance(3_600_000);
    expect(accepted.toSorted()).toEqual(['/on failed', '/on new', '/zap new']);
    const token = tokenOf(1);
    const { body } = await running.call('GET', '/subscriptions', undefined, token);
    await running.call('PATCH', `/subscriptions/${body.data[0].id}`, { state: 'active' }, token);
    await running.relay.clock.advance(1_000);
    expect(accepted.slice(3).toSorted()).toEqual(['/off failed', '/off new']);
  });

  it('shows each attempt of a delivery', async () => {
    const running = await startOnRecorded(recorded.relay);
    const token = tokenOf(0);
    const { body } = await running.call('GET', '/deliveries?state=pending', undefined, token);
    const one = await running.call('GET', `/deliveries/${body.data[0].id}`, undefined, token);
    expect(one.body.attempts).toEqual([
      {
        at: '2027-03-01T09:00:00.001Z',
        duration_ms: expect.any(Number),
        error: 'responded with status 500',
        response: { body: '', headers: {}, is_binary: false, is_cut: false, status: 500 },
        status: 500,
      },
    ]);
  });

  it('stores an event that arrives while a newer process migrates', async () => {
    const running = await startOnRecorded(recorded.relay);
    let arrives: Promise<{ readonly status: number }> | undefined;
    await migrateTo(running.databaseUrl, async (db) => {
      await sql`ALTER TABLE event ADD COLUMN region text`.execute(db);
      arrives = running.deliver({ id: 'meanwhile', type: 'campaign.paid', data: {} });
      await eventually(() => isWaiting(running.databaseUrl), 'the event waits for the migration');
    });
    expect((await arrives)?.status).toBe(202);
    const { body } = await running.call('GET', '/events', undefined, tokenOf(0));
    expect(body.data).toHaveLength(3);
  });

  it('a polling trigger of n8n continues after the last event that it saw', async () => {
    await openTarget();
    const running = await startOnRecorded(recorded.relay);
    const { connectorKeys, staticData } = recorded.relay;
    const poller = relayPoller(await startEngine(running, connectorKeys[0] ?? ''), staticData);
    await happens(running, 'new');
    const ids = (await poller.poll()).map(({ json }) => json.id);
    expect(ids).toEqual(['failed', 'new']);
  });

  it('a Zap that is switched off ends its subscription', async () => {
    const { connectorKeys, subscribeData } = recorded.relay;
    const running = await startOnRecorded(recorded.relay);
    const zap = zapOf(running, connectorKeys[2] ?? '');
    await zap.run(`${zapTrigger}.performUnsubscribe`, { subscribeData });
    const { body } = await running.call('GET', '/subscriptions', undefined, tokenOf(2));
    expect(body.data).toEqual([]);
  });
});
