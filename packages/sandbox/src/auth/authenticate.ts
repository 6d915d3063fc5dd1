import type { Operation } from '@screen-advertising/core';
import type { PartnerAccess } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import { findToken, sameSecret } from './tokens.ts';

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
