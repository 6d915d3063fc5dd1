import { type OperationName, operations } from '@screen-advertising/core';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { INodeParameters } from 'n8n-workflow';
import { exampleInput } from '../support/example-input.ts';
import { operationKey } from './operation-keys.ts';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
/** The example of the catalogue. */
const sampleCode = 'SPRING-25';

const coupon = { discount_value: 10, lead_email: 'lead@example.com' };

export const operationNames = Object.keys(operations) as OperationName[];

/** A sandbox, and the action node in front of it. */
interface Service {
  readonly sandbox: Sandbox;
  items(parameters: INodeParameters): Promise<unknown>;
}

/**
 * Parameters with which each operation succeeds: the examples of the catalogue, where they do.
 * Creates a coupon where one must exist.
 */
export async function sampleCall(world: Service, name: OperationName): Promise<INodeParameters> {
  const { sandbox } = world;
  const example = exampleInput(operations[name]) as INodeParameters;
  const { resource, value: operation } = operationKey(name);
  const screenId = byId(sandbox.screens.list().find((screen) => screen.is_active)?.id ?? '');
  const fields: Partial<Record<OperationName, () => INodeParameters>> = {
    'screen.get': () => ({ screenId }),
    'screen.availability': () => ({ screenId, from: '2027-03-01', to: '2027-03-31' }),
    'coupon.create': () => coupon,
    'user.lookup': () => ({ email: sandbox.users.list()[0]?.email ?? '' }),
    'landingLink.create': () => ({
      fields: { field: [{ name: 'utm_campaign', value: 'spring' }] },
    }),
    'campaignRequest.get': () => ({ id: byId(sandbox.campaignRequests.list()[0]?.id ?? '') }),
  };
  if (name === 'coupon.get' || name === 'coupon.revoke') {
    await world.items({
      authentication: 'apiKey',
      resource: 'coupon',
      operation: 'create',
      ...coupon,
      additionalFields: { code: sampleCode },
    });
  }
  return { authentication: 'apiKey', resource, operation, ...(fields[name]?.() ?? example) };
}
