import { operations, ScreenAdvertisingError } from '@screen-advertising/core';
import { requestToken } from '@screen-advertising/core/platform';
import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { createRunClient } from './lib/client.ts';
import {
  connectionFields,
  connectionLabel,
  connectionSecrets,
  nameField,
  rateLimitField,
  readConnection,
  relayFields,
  sessionFields,
  signingFields,
} from './lib/connection.ts';
import { type NamedStep, withZapierErrors } from './lib/errors.ts';

import { runDeadlineMs } from './lib/limits.ts';
import { isRelayDown, relayClientOfConnection } from './lib/relay.ts';
import { zapierTransport } from './lib/transport.ts';

/** Milliseconds before its expiry when a token is no longer used. */
const renewAheadMs = 60_000;

/** Milliseconds: a token this young cannot have expired, so a refusal is about the access. */
const youngMs = 60_000;

const noSession = { access_token: '', renew_at: '', doubt_from: '', is_early: '' };

const tokenRequest: NamedStep = { label: 'The access token request', scopes: [], fields: [] };

const connectionTest: NamedStep = {
  label: 'The test of the connection',
  place: 'connection',
  scopes: [],
  fields: [],
};

/**
 * Zapier stores the result on the connection, and all Zaps of the connection use it: a token serves
 * for its whole hour. Zapier calls this again when a token is due or was refused.
 *
 * From `doubt_from` on, a refusal may mean that the token expired. `is_early` marks a token that
 * replaced one before its time: after that, a 403 is about scopes.
 */
async function startSession(z: ZObject, bundle: Bundle): Promise<Record<string, string>> {
  const { baseUrl, credentials } = readConnection(bundle.authData);
  if (credentials.kind === 'api-key') return noSession;
  const transport = zapierTransport(z, { isSecret: true });
  const now = Date.now();
  const token = await requestToken({
    baseUrl,
    auth: credentials,
    transport,
    timeoutMs: runDeadlineMs,
    secrets: connectionSecrets(bundle.authData),
  });
  const lifetimeMs = token.expiresAt - now;
  const renewAt = token.expiresAt - Math.min(renewAheadMs, lifetimeMs / 10);
  const isEarly = Date.parse(bundle.authData.renew_at ?? '') > now;
  return {
    access_token: token.accessToken,
    renew_at: new Date(renewAt).toISOString(),
    doubt_from: new Date(now + youngMs).toISOString(),
    is_early: isEarly ? 'yes' : '',
  };
}

/** Only the first session starts from the form; later ones start in the middle of a Zap. */
function renewSession(z: ZObject, bundle: Bundle): Promise<Record<string, string>> {
  const isConnecting = !bundle.authData.renew_at;
  const step: NamedStep = { ...tokenRequest, place: isConnecting ? 'connection' : 'session' };
  return withZapierErrors(startSession, step, { isConnecting })(z, bundle);
}

/**
 * Asks for one screen with the connection's credentials, whatever their scopes. Then it asks the
 * relay, if there is one, whether it knows the connector key. A relay that is down refuses no
 * connection: only instant triggers need it.
 */
async function testConnection(z: ZObject, bundle: Bundle): Promise<Record<string, string>> {
  const relay = relayClientOfConnection(z, bundle);
  // Both requests fit into one run.
  const timeForEach = { deadlineMs: relay ? runDeadlineMs / 2 : runDeadlineMs };
  try {
    await createRunClient(z, bundle).call(operations['screen.list'], { limit: 1 }, timeForEach);
  } catch (error) {
    const isAccepted = ScreenAdvertisingError.isInstance(error) && error.code === 'missing_scope';
    if (!isAccepted) throw error;
  }
  await relay?.me(timeForEach).catch((error: unknown) => {
    if (!isRelayDown(error)) throw error;
    z.console.log(`The relay was not checked. ${error.message}`);
  });
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
