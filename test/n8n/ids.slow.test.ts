import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { idKinds, requests, screens } from '../shared/support/identified-records.ts';
import { ScriptedService } from '../shared/support/scripted-service.ts';
import { Engine } from './engine.ts';
import { createPoller, type Poller } from './poller.ts';

const service = new ScriptedService();
let engine: Engine;
beforeAll(async () => {
  await service.start();
  engine = await Engine.start({
    screenAdvertisingApi: { baseUrl: service.baseUrl, apiKey: 'svc_ids_0123456789abcdef' },
  });
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

let triggers = 0;

/** A trigger that has seen the existing records. */
async function published(events: string[], parameters: INodeParameters = {}): Promise<Poller> {
  triggers += 1;
  const poller = createPoller(engine, {
    id: `ids-${triggers}`,
    type: 'screenAdvertisingPollingTrigger',
    parameters: { authentication: 'apiKey', events, ...parameters },
  });
  expect(await poller.poll()).toEqual([]);
  return poller;
}

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

async function run(resource: string, operation: string, given: INodeParameters) {
  const parameters = { authentication: 'apiKey', resource, operation, ...given };
  const result = await engine.runNode({ type: 'screenAdvertising', parameters });
  if (result.error) throw result.error;
  return jsonOf(result.output('Screen Advertising'));
}

describe.each(idKinds)('IDs that are %s', (_kind, one, two) => {
  const ids = [one, two];
  const locator = (value: string | number) => ({ __rl: true, mode: 'id', value });

  it('a campaign request is new once, and changes once, over three polls', async () => {
    requests(service, [one], null);
    const poller = await published(['campaign_request.created', 'campaign_request.rejected']);
    expect(await poller.poll()).toEqual([]);
    requests(service, ids, 'rejected', null);
    expect(jsonOf(await poller.poll())).toMatchObject([
      { type: 'campaign_request.rejected', data: { id: one } },
      { type: 'campaign_request.created', data: { id: two } },
    ]);
    poller.restart();
    expect(await poller.poll()).toEqual([]);
  });

  it('a later node finds the record of an ID from an earlier one', async () => {
    screens(service, ids, 50, 50);
    requests(service, ids, 'rejected', 'rejected');
    service.on(`POST /coupons/${one}/revoke`, { body: { code: one } });
    for (const value of [one, String(one)]) {
      const id = locator(value);
      expect(await run('screen', 'get', { screenId: id })).toMatchObject([{ id: one }]);
      expect(await run('campaignRequest', 'get', { id })).toMatchObject([{ id: one }]);
      expect(await run('coupon', 'revoke', { code: value })).toEqual([{ code: one }]);
    }
  });
});

it('a number of 17 digits keeps every digit', async () => {
  const id = '90071992547409931';
  const list = (status: string) =>
    service.on('GET /campaign-requests', { body: `{"data":[{"id":${id},"status":${status}}]}` });
  list('null');
  const poller = await published(['campaign_request.rejected']);
  list('"rejected"');
  expect(jsonOf(await poller.poll())).toMatchObject([{ data: { id } }]);
  expect(await poller.poll()).toEqual([]);
});
