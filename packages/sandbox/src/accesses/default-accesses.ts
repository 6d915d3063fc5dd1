import { scopes } from '@screen-advertising/core/contract';
import type { SignatureScheme } from '@screen-advertising/core/webhooks';
import type { Accesses, PartnerAccess } from './access.ts';

/** Demo credentials. They work only in a sandbox and are the same in every one. */
export function defaultAccesses({ key = 'text' }: SignatureScheme): Accesses {
  const access = (id: string, apiKey: string, name: string): PartnerAccess => ({
    id,
    name,
    scopes,
    apiKey,
    clientId: `sandbox-${id}`,
    clientSecret: `sandbox-${id}-client-secret`,
    signingSecret: secretFor(key, `sandbox-${id}-signing-secret`),
  });
  const readOnly = 'Partner with read-only access to screens, coupons, and campaign requests';
  return [
    access('full', 'svc_sandbox_full_4f7d2c9a61', 'Partner with all scopes'),
    access('second', 'svc_sandbox_second_b03e58d71c', 'Another partner with all scopes'),
    {
      ...access('limited', 'svc_sandbox_limited_92ac6e04f5', readOnly),
      scopes: ['screens:read', 'coupons:read', 'campaign_requests:read'],
    },
  ];
}

/** A secret that a service with such keys would issue. */
function secretFor(key: NonNullable<SignatureScheme['key']>, text: string): string {
  if (key === 'text') return text;
  return `whsec_${key === 'unprefixed' ? text : Buffer.from(text).toString(key)}`;
}
