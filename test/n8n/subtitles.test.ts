import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from './engine/engine.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await Engine.start();
});

/** What n8n's canvas shows below the node, evaluated by n8n itself. */
function subtitle(type: string, parameters: INodeParameters): unknown {
  const workflow = engine.workflow([{ type, parameters }]);
  const [node] = Object.values(workflow.nodes);
  const expression = engine.package.nodes.get(type)?.description.subtitle;
  if (!node || expression === undefined) throw new Error(`${type} has no subtitle.`);
  return workflow.expression.getSimpleParameterValue(node, expression, 'internal', {});
}

describe('what the canvas shows below a node', () => {
  it.each<[parameters: INodeParameters, words: string]>([
    [{}, 'Get many screens'],
    [{ resource: 'coupon', operation: 'create' }, 'Create coupon'],
    [{ resource: 'campaignRequest', operation: 'getAll' }, 'Get many campaign requests'],
  ])('is the action in words: %j', (parameters, words) => {
    expect(subtitle('screenAdvertising', parameters)).toBe(words);
  });

  it.each<[type: string, events: string[], words: string]>([
    ['screenAdvertisingTrigger', [], ''],
    ['screenAdvertisingTrigger', ['coupon.redeemed'], 'Coupon Redeemed'],
    [
      'screenAdvertisingTrigger',
      ['campaign.paid', 'campaign_request.rejected'],
      'Campaign Paid, Campaign Request Rejected',
    ],
    [
      'screenAdvertisingTrigger',
      ['campaign.paid', 'user.registered', 'coupon.redeemed'],
      '3 events',
    ],
    ['screenAdvertisingPollingTrigger', ['campaign_request.rejected'], 'Became Rejected'],
  ])('is the events of the %s in words: %j', (type, events, words) => {
    expect(subtitle(type, { events })).toBe(words);
  });

  it('is the events of a relay, for a polling trigger that reads one', () => {
    const type = 'screenAdvertisingPollingTrigger';
    const chosen = { events: ['campaign_request.created'], relayEvents: ['campaign.paid'] };
    expect(subtitle(type, { ...chosen, authentication: 'relay' })).toBe('Campaign Paid');
    expect(subtitle(type, { ...chosen, authentication: 'apiKey' })).toBe('New Campaign Request');
  });
});
