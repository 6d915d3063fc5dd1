import { tokenEndpoint } from '@screen-advertising/core/contract';
import type { PartnerAccess } from '../accesses/access.ts';
import { withPresentSecret } from '../auth/client-secret.ts';
import { issueToken, sameSecret } from '../auth/tokens.ts';
import type { SandboxContext } from '../context.ts';
import { type Exchange, readJsonObject } from '../http/exchange.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import { checkInput } from './read-input.ts';

/** POST /oauth/token (section 4.1). */
export function handleTokenRequest(context: SandboxContext, exchange: Exchange): Response {
  context.limits.countTokenRequest(exchange.remoteAddress ?? 'in-process', context.clock.now());
  const { client_id, client_secret } = readJsonObject(exchange);
  checkInput(context, tokenEndpoint, { client_id, client_secret });
  const access = findAccess(context, String(client_id), String(client_secret));
  exchange.accessId = access.id;
  return Response.json({
    access_token: issueToken(context, access),
    token_type: 'bearer',
    expires_in: tokenEndpoint.lifetimeSeconds,
    scope: access.scopes.join(' '),
  });
}

function findAccess(context: SandboxContext, id: string, secret: string): PartnerAccess {
  const access = context.accesses.find(({ clientId }) => clientId === id);
  if (access && sameSecret(withPresentSecret(context, access).clientSecret, secret)) return access;
  throw new ProblemResponseError(
    'refused-credentials',
    'The client_id or client_secret is wrong.',
    { status: Number(context.variants.refusedCredentials) },
  );
}
