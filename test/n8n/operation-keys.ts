import type { OperationName } from '@screen-advertising/core';
import type { TaskName } from '@screen-advertising/core/availability';

/** What the action node offers; the polling trigger has the rest. */
type Offered = OperationName | Exclude<TaskName, 'screen.availabilityChanged'>;

/** Under which resource and operation n8n's users find it. */
const keys: Readonly<Record<Offered, readonly [resource: string, operation: string]>> = {
  'screen.list': ['screen', 'getAll'],
  'screen.get': ['screen', 'get'],
  'screen.availability': ['screen', 'getAvailability'],
  'screen.findAvailable': ['screen', 'findAvailable'],
  'coupon.create': ['coupon', 'create'],
  'coupon.get': ['coupon', 'get'],
  'coupon.revoke': ['coupon', 'revoke'],
  'user.lookup': ['user', 'lookUp'],
  'landingLink.create': ['landingLink', 'create'],
  'campaignRequest.list': ['campaignRequest', 'getAll'],
  'campaignRequest.get': ['campaignRequest', 'get'],
};

export function operationKey(name: string): { resource: string; value: string } {
  const [resource, value] = keys[name as Offered] ?? [];
  if (!resource || !value) throw new Error(`Nobody said where n8n offers ${name}.`);
  return { resource, value };
}
