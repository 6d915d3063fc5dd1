import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import type { PartnerAccess } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';

const lifetimeMs = tokenEndpoint.lifetimeSeconds * 1000;

/** Creates an access token and stores only its digest. */
export function issueToken({ store, clock }: SandboxContext, access: PartnerAccess): string {
  const token = `sat_${randomBytes(24).toString('base64url')}`;
  dropExpired(store.tokens, clock.now());
  store.tokens.set(digest(token), { accessId: access.id, expiresAt: clock.now() + lifetimeMs });
  return token;
}

/** Also finds recently expired tokens, so that the error can say so. */
export function findToken({ store }: SandboxContext, token: string) {
  return store.tokens.get(digest(token));
}

/** Compares in constant time. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)));
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Expired tokens stay for an hour, for a clearer error. */
function dropExpired(tokens: SandboxContext['store']['tokens'], now: number): void {
  for (const [key, { expiresAt }] of tokens) {
    if (expiresAt + lifetimeMs < now) tokens.delete(key);
  }
}
