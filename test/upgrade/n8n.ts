import { signWebhook } from '@screen-advertising/core';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { IDataObject } from 'n8n-workflow';
import { credentialsOf, Engine, type StoredCredentials } from '../n8n/engine.ts';
import { createPoller, type Poller } from '../n8n/poller.ts';
import { SimulatedTime } from '../n8n/simulated-time.ts';
import { type Database, serveWebhook } from '../n8n/webhook-server.ts';

import { baseUrl, setAvailable } from './service.ts';
import type { RecordedState } from './state.ts';

/** An n8n that has just started: its processes remember nothing. */
export function startN8n(sandbox: Sandbox, more: StoredCredentials = {}): Promise<Engine> {
  const credentials = { ...credentialsOf(sandbox, baseUrl), ...more };
  return Engine.start(credentials, new SimulatedTime(sandbox.clock));
}

/** A polling trigger that watches everything of the service. */
export function pollingTrigger(engine: Engine, staticData: IDataObject = {}): Poller {
  const events = [
    ...['campaign_request.created', 'campaign_request.converted', 'screen.listed'],
    ...['screen.availability_rises_above', 'screen.availability_falls_below'],
  ];
  const period = { from: '2027-03-01', to: '2027-03-31' };
  const parameters = { authentication: 'apiKey', events, share_pct: 10, ...period };
  const node = {
    id: 'poller',
    type: 'screenAdvertisingPollingTrigger',
    parameters: { ...parameters, screenFilters: { city: 'Berlin' } },
  };
  return createPoller(engine, node, { staticData });
}

/** Delivers the events to a webhook trigger; returns the IDs of those that started it. */
export async function deliverToN8n(
  engine: Engine,
  sandbox: Sandbox,
  database: Database,
  ids: readonly string[],
): Promise<unknown[]> {
  const parameters = { events: ['coupon.redeemed'], delivery: 'direct' };
  const trigger = { id: 'webhook', type: 'screenAdvertisingTrigger', parameters };
  const server = await serveWebhook(engine, trigger, { database });
  const [{ signingSecret: secret }] = sandbox.accesses;
  const timestamp = Math.floor(sandbox.clock.now() / 1000);
  for (const id of ids) {
    const body = JSON.stringify({ id, type: 'coupon.redeemed', data: { code: 'SPRING-25' } });
    const headers = { 'x-service-signature': signWebhook({ body, secret, timestamp }) };
    await fetch(server.url, { method: 'POST', body, headers });
  }
  await server.close();
  return server.executions.map(([item]) => item?.json.id);
}

export const lookUp = { resource: 'user', operation: 'lookUp', email: 'nobody@example.com' };

export async function recordN8n(sandbox: Sandbox): Promise<RecordedState['n8n']> {
  const engine = await startN8n(sandbox);
  const poller = pollingTrigger(engine);
  await poller.poll();
  sandbox.campaignRequests.add({ id: 'cr_before' });
  setAvailable(sandbox, 50);
  await poller.poll();
  const database = { staticData: '{}' };
  await deliverToN8n(engine, sandbox, database, ['evt_before']);
  const parameters = { ...lookUp, authentication: 'clientCredentials' };
  const { error } = await engine.runNode({ type: 'screenAdvertising', parameters });
  if (error) throw error;
  const credential = engine.credentials.screenAdvertisingClientCredentialsApi ?? {};
  return { polling: poller.staticData(), webhook: database.staticData, credential };
}
