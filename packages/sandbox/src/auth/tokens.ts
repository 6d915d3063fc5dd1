import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import type { PartnerAccess } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';

const lifetimeMs = tokenEndpoint.lifetimeSeconds * 1000;

/** A new access token. Only its digest is kept. */
export function issueToken({ store, clock }: SandboxContext, access: PartnerAccess): string {
  const token = `sat_${randomBytes(24).toString('base64url')}`;
  dropExpired(store.tokens, clock.now());
  store.tokens.set(digest(token), { accessId: access.id, expiresAt: clock.now() + lifetimeMs });
  return token;
}

/** Also finds tokens that have just expired, so that the answer can say so. */
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

/** An hour past its end nobody asks for a token any more. */
function dropExpired(tokens: SandboxContext['store']['tokens'], now: number): void {
  for (const [key, { expiresAt }] of tokens) {
    if (expiresAt + lifetimeMs < now) tokens.delete(key);
  }
}
