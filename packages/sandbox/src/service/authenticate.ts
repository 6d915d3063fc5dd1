import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Operation } from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { accessById, type PartnerAccess } from '../access/access.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import type { SandboxContext } from '../state/context.ts';

/** The calling access (section 5). Throws a 401 for invalid or missing credentials. */
export function authenticate(context: SandboxContext, headers: Headers): PartnerAccess {
  const { accesses, variants, clock } = context;
  const refused = (detail: string, challenge = 'Bearer error="invalid_token"') =>
    new ProblemResponseError('unauthorized', detail, {
      status: Number(variants.invalidToken),
      headers: { 'www-authenticate': challenge },
    });
  const bearer = readBearer(headers);
  if (bearer === undefined) throw refused(whatIsMissing(headers), 'Bearer');
  if (bearer.startsWith('svc_')) {
    const access = accesses.find(({ apiKey }) => sameSecret(apiKey, bearer));
    if (!access) throw refused('The API key is unknown.');
    return access;
  }
  const token = findToken(context, bearer);
  const access = accesses.find(({ id }) => id === token?.accessId);
  if (!token || !access) {
    throw refused(
      'The access token is unknown. Values that start with svc_ are read as API keys, all others as access tokens.',
    );
  }
  if (token.expiresAt <= clock.now()) {
    throw refused('The access token has expired. Get a new one with POST /oauth/token.');
  }
  return access;
}

function whatIsMissing(headers: Headers): string {
  if (headers.has('x-api-key')) {
    return 'The X-API-Key header is ignored. Send the API key as Authorization: Bearer <API_KEY>.';
  }
  return headers.has('authorization')
    ? 'The Authorization header must be Bearer, a space, and an API key or access token.'
    : 'The Authorization: Bearer <token> header is missing.';
}

/** Throws a 403 if the access has none of the operation's scopes (section 4). */
export function checkScope(access: PartnerAccess, { scopes }: Operation): void {
  if (scopes.some((scope) => access.scopes.includes(scope))) return;
  const needed = scopes.join(' or ');
  throw new ProblemResponseError(
    'missing-scope',
    `This access lacks the scope ${needed}. The Screen Advertising team grants scopes.`,
    {
      headers: {
        'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
      },
    },
  );
}

/** The value after `Bearer`; undefined if missing. */
export function readBearer(headers: Headers): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
}

const lifetimeMs = tokenEndpoint.lifetimeSeconds * 1000;

/** Creates an access token and stores only its digest. */
export function issueToken({ store, clock }: SandboxContext, access: PartnerAccess): string {
  const token = `sat_${randomBytes(24).toString('base64url')}`;
  dropExpired(store.tokens, clock.now());
  store.tokens.set(digest(token), { accessId: access.id, expiresAt: clock.now() + lifetimeMs });
  return token;
}

/** Also finds recently expired tokens, so that the error can say so. */
function findToken({ store }: SandboxContext, token: string) {
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

const counterOf = (id: string) => `client-secret ${id}`;

/**
 * The access with the client secret that the token endpoint accepts now. Only the number of
 * rotations is stored, so a snapshot contains no secret.
 */
export function withPresentSecret(
  { store }: Pick<SandboxContext, 'store'>,
  access: PartnerAccess,
): PartnerAccess {
  const rotations = store.lastNumber(counterOf(access.id));
  if (rotations === 0) return access;
  return { ...access, clientSecret: `${access.clientSecret}-${rotations + 1}` };
}

/** Gives the access a new client secret. Access tokens that were issued before stay valid. */
export function rotateClientSecret(context: SandboxContext, id: string): PartnerAccess {
  const access = accessById(context.accesses, id);
  context.store.nextNumber(counterOf(id));
  context.changed();
  return withPresentSecret(context, access);
}
