import { operations, ScreenAdvertisingError } from '@screen-advertising/core';
import { requestToken } from '@screen-advertising/core/platform';
import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import {
  connectionFields,
  nameField,
  rateLimitField,
  relayFields,
  sessionFields,
  signingFields,
} from './lib/auth-fields.ts';
import { clientFor } from './lib/client.ts';
import { connectionLabel, readConnection, secretsOf } from './lib/connection.ts';
import type { Step } from './lib/error-message.ts';
import { withZapierErrors } from './lib/errors.ts';
import { deadlineMs } from './lib/limits.ts';
import { relayOf } from './lib/relay.ts';
import { zapierTransport } from './lib/transport.ts';

/** Milliseconds before its expiry when a token is no longer used. */
const renewAheadMs = 60_000;

/** Milliseconds: a token this young cannot have expired, so a 403 is about its scopes. */
const youngMs = 60_000;

const tokenRequest: Step = { label: 'The access token request', scopes: [], fields: [] };

const connectionTest: Step = { label: 'The test of the connection', scopes: [], fields: [] };

/**
 * Zapier stores the result on the connection, and all Zaps of the connection use it: a token serves
 * for its whole hour. Zapier calls this again when a token is due or was refused.
 *
 * `doubt_from` is when a 403 may mean that the token expired. A token that replaces one before its
 * time has none: the last 403 was not about the token, and so is the next.
 */
async function startSession(z: ZObject, bundle: Bundle): Promise<Record<string, string>> {
  const { baseUrl, credentials } = readConnection(bundle.authData);
  if (credentials.kind === 'api-key') return { access_token: '', renew_at: '', doubt_from: '' };
  const transport = zapierTransport(z, { canRenewToken: false, isSecret: true });
  const now = Date.now();
  const token = await requestToken({
    baseUrl,
    auth: credentials,
    transport,
    timeoutMs: deadlineMs,
    secrets: secretsOf(bundle.authData),
  });
  const lifetimeMs = token.expiresAt - now;
  const renewAt = token.expiresAt - Math.min(renewAheadMs, lifetimeMs / 10);
  const isEarly = Date.parse(bundle.authData.renew_at ?? '') > now;
  return {
    access_token: token.accessToken,
    renew_at: new Date(renewAt).toISOString(),
    doubt_from: isEarly ? '' : new Date(now + youngMs).toISOString(),
  };
}

/** Only the first session starts from the form; later ones start in the middle of a Zap. */
function renewSession(z: ZObject, bundle: Bundle): Promise<Record<string, string>> {
  const isConnecting = !bundle.authData.renew_at;
  return withZapierErrors(startSession, tokenRequest, { isConnecting })(z, bundle);
}

/**
 * Asks for one screen with the connection's credentials, whatever their scopes. Then it asks the
 * relay, if there is one, whether it knows the connector key.
 */
async function testConnection(z: ZObject, bundle: Bundle): Promise<Record<string, string>> {
  const relay = relayOf(z, bundle);
  // Both requests fit into one run.
  const timeForEach = { deadlineMs: relay ? deadlineMs / 2 : deadlineMs };
  try {
    await clientFor(z, bundle).call(operations['screen.list'], { limit: 1 }, timeForEach);
  } catch (error) {
    const isAccepted = ScreenAdvertisingError.isInstance(error) && error.code === 'missing_scope';
    if (!isAccepted) throw error;
  }
  await relay?.me(timeForEach);
  return { connection: connectionLabel(bundle.authData) };
}

/** Asks for signing secrets only if triggers take deliveries from the service itself. */
export function authentication({ hasStaticHooks }: { hasStaticHooks: boolean }): Authentication {
  return {
    type: 'session',
    fields: [
      ...connectionFields,
      ...relayFields,
      ...(hasStaticHooks ? signingFields : []),
      rateLimitField,
      nameField,
      ...sessionFields,
    ],
    sessionConfig: { perform: renewSession },
    test: withZapierErrors(testConnection, connectionTest, { isConnecting: true }),
    connectionLabel: '{{bundle.inputData.connection}}',
  };
}
