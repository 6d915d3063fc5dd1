import { type Scope, signWebhook } from '@screen-advertising/core';
import { scopes } from '@screen-advertising/core/contract';
import type { SignatureScheme } from '@screen-advertising/core/webhooks';
import { ProblemResponseError } from '../http/problem-response-error.ts';

/**
 * The identity that a partner calls with. Rate limits, coupons, attribution and requests belong to
 * it.
 */
export interface PartnerAccess {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Starts with `svc_`. */
  readonly apiKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs the deliveries to the webhook addresses of this access. */
  readonly signingSecret: string;
}

export type PartnerAccesses = readonly [PartnerAccess, ...PartnerAccess[]];

/** The names and values of an access's credentials. */
export function credentialsOf(access: PartnerAccess) {
  return [
    ['API key', access.apiKey],
    ['Client ID', access.clientId],
    ['Client secret', access.clientSecret],
    ['Signing secret', access.signingSecret],
  ] as const;
}

/** Throws a RangeError if two accesses share an ID, API key or client ID, or one is invalid. */
export function checkAccesses(accesses: PartnerAccesses, scheme: SignatureScheme): PartnerAccesses {
  for (const field of ['id', 'apiKey', 'clientId'] as const) {
    const values = new Set(accesses.map((access) => access[field]));
    if (values.size < accesses.length || values.has('')) {
      throw new RangeError(`accesses: each access needs its own ${field}.`);
    }
  }
  for (const { id, apiKey, signingSecret } of accesses) {
    if (!apiKey.startsWith('svc_')) {
      throw new RangeError(`accesses: the apiKey of ${id} must start with svc_.`);
    }
    if (signingSecret === '') {
      throw new RangeError(`accesses: the signingSecret of ${id} is empty.`);
    }
    try {
      signWebhook({ body: '', secret: signingSecret, timestamp: 0, scheme });
    } catch {
      throw new RangeError(
        `accesses: the signingSecret of ${id} cannot be read as ${scheme.key}, as the variant signatureScheme says.`,
      );
    }
  }
  return accesses;
}

/** The access with this ID. With no ID, the first one. */
export function accessById(accesses: PartnerAccesses, id?: string): PartnerAccess {
  const access = id === undefined ? accesses[0] : accesses.find((other) => other.id === id);
  if (access) return access;
  const known = accesses.map((other) => other.id).join(', ');
  throw new ProblemResponseError('invalid-parameter', `Unknown access ${id}. Known: ${known}.`);
}

/** Demo credentials. They work only in a sandbox and are the same in every one. */
export function defaultAccesses({ key = 'text' }: SignatureScheme): PartnerAccesses {
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
