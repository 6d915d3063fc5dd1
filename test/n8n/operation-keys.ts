import type { OperationName } from '@screen-advertising/core';

/** Under which resource and operation n8n's users find an operation of the catalogue. */
const keys: Readonly<Record<OperationName, readonly [resource: string, operation: string]>> = {
  'screen.list': ['screen', 'getAll'],
  'screen.get': ['screen', 'get'],
  'screen.availability': ['screen', 'getAvailability'],
  'coupon.create': ['coupon', 'create'],
  'coupon.get': ['coupon', 'get'],
  'coupon.revoke': ['coupon', 'revoke'],
  'user.lookup': ['user', 'lookUp'],
  'landingLink.create': ['landingLink', 'create'],
  'campaignRequest.list': ['campaignRequest', 'getAll'],
  'campaignRequest.get': ['campaignRequest', 'get'],
};

export function operationKey(name: string): { resource: string; value: string } {
  const [resource, value] = keys[name as OperationName] ?? [];
  if (!resource || !value) throw new Error(`Nobody said where n8n offers ${name}.`);
  return { resource, value };
}
