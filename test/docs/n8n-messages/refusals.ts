import type { INodeParameters } from 'n8n-workflow';
import { sampleCall, sampleCode } from '../../n8n/sample-calls.ts';
import type { World } from '../../n8n/world.ts';

type Prepare = (world: World) => Promise<INodeParameters>;

const byId = { __rl: true, mode: 'id', value: 'none' };

/** Requests that the service rejects without a fault rule, by operation. */
export const refusals: Readonly<Record<string, Readonly<Record<string, Prepare>>>> = {
  'screen.get': {
    'an ID that is not known': async (world) => ({
      ...(await sampleCall(world, 'screen.get')),
      screenId: byId,
    }),
  },
  'screen.availability': {
    'an ID that is not known': async (world) => ({
      ...(await sampleCall(world, 'screen.availability')),
      screenId: byId,
    }),
  },
  'campaignRequest.get': {
    'an ID that is not known': async (world) => ({
      ...(await sampleCall(world, 'campaignRequest.get')),
      id: byId,
    }),
  },
  'coupon.create': {
    'a code that is taken': async (world) => {
      await sampleCall(world, 'coupon.get');
      return {
        ...(await sampleCall(world, 'coupon.create')),
        lead_email: 'other@example.com',
        additionalFields: { code: sampleCode },
      };
    },
    'a lead with an active coupon': async (world) => {
      await sampleCall(world, 'coupon.get');
      return {
        ...(await sampleCall(world, 'coupon.create')),
        additionalFields: { code: 'ANOTHER' },
      };
    },
    'a field that is wrong': async (world) => ({
      ...(await sampleCall(world, 'coupon.create')),
      discount_type: 'percent',
      discount_value: 101,
    }),
  },
  'coupon.get': {
    'a code that is not known': async (world) => ({
      ...(await sampleCall(world, 'coupon.get')),
      code: 'NONE',
    }),
  },
  'coupon.revoke': {
    'a code that is not known': async (world) => ({
      ...(await sampleCall(world, 'coupon.revoke')),
      code: 'NONE',
    }),
    'a coupon that is over': async (world) => {
      const revoke = await sampleCall(world, 'coupon.revoke');
      await world.items(revoke);
      return revoke;
    },
  },
};
