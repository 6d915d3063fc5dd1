import { type OperationName, operations } from '@screen-advertising/core';
import type { INodeParameters } from 'n8n-workflow';
import { operationKey } from './operation-keys.ts';
import type { World } from './world.ts';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const coupon = { discount_value: 10, lead_email: 'lead@example.com' };

export const operationNames = Object.keys(operations) as OperationName[];

/** Parameters with which each operation succeeds; makes a coupon where one must be there. */
export async function sampleCall(world: World, name: OperationName): Promise<INodeParameters> {
  const { sandbox } = world;
  const { resource, value: operation } = operationKey(name);
  const screenId = byId(sandbox.screens.list().find((screen) => screen.is_active)?.id ?? '');
  const fields: Record<OperationName, () => INodeParameters> = {
    'screen.list': () => ({ limit: 5 }),
    'screen.get': () => ({ screenId }),
    'screen.availability': () => ({ screenId, from: '2027-03-01', to: '2027-03-31' }),
    'coupon.create': () => coupon,
    'coupon.get': () => ({ code: 'SAMPLE' }),
    'coupon.revoke': () => ({ code: 'SAMPLE' }),
    'user.lookup': () => ({ email: sandbox.users.list()[0]?.email ?? '' }),
    'landingLink.create': () => ({
      fields: { field: [{ name: 'utm_campaign', value: 'spring' }] },
    }),
    'campaignRequest.list': () => ({ limit: 5 }),
    'campaignRequest.get': () => ({ id: byId(sandbox.campaignRequests.list()[0]?.id ?? '') }),
  };
  if (name === 'coupon.get' || name === 'coupon.revoke') {
    await world.items({
      authentication: 'apiKey',
      resource: 'coupon',
      operation: 'create',
      ...coupon,
      additionalFields: { code: 'SAMPLE' },
    });
  }
  return { authentication: 'apiKey', resource, operation, ...fields[name]() };
}
