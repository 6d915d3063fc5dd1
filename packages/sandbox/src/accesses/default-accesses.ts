import { scopes } from '@screen-advertising/core/contract';
import type { SignatureScheme } from '@screen-advertising/core/webhooks';
import type { Accesses } from './access.ts';

/** Demo credentials. They work only in a sandbox and are the same in every one. */
export const defaultAccesses = ({ key = 'text' }: SignatureScheme): Accesses => [
  {
    id: 'full',
    name: 'Partner with all scopes',
    scopes,
    apiKey: 'svc_sandbox_full_4f7d2c9a61',
    clientId: 'sandbox-full',
    clientSecret: 'sandbox-full-client-secret',
    signingSecret: secretFor(key, 'sandbox-full-signing-secret'),
  },
  {
    id: 'second',
    name: 'Another partner with all scopes',
    scopes,
    apiKey: 'svc_sandbox_second_b03e58d71c',
    clientId: 'sandbox-second',
    clientSecret: 'sandbox-second-client-secret',
    signingSecret: secretFor(key, 'sandbox-second-signing-secret'),
  },
  {
    id: 'limited',
    name: 'Partner with read-only access to screens, coupons, and campaign requests',
    scopes: ['screens:read', 'coupons:read', 'campaign_requests:read'],
    apiKey: 'svc_sandbox_limited_92ac6e04f5',
    clientId: 'sandbox-limited',
    clientSecret: 'sandbox-limited-client-secret',
    signingSecret: secretFor(key, 'sandbox-limited-signing-secret'),
  },
];

/** A secret that a service with such keys would issue. */
function secretFor(key: NonNullable<SignatureScheme['key']>, text: string): string {
  if (key === 'text') return text;
  return `whsec_${key === 'unprefixed' ? text : Buffer.from(text).toString(key)}`;
}
