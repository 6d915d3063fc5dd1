import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TransportError } from '@screen-advertising/core';
import { isRelayDown } from '../../packages/zapier-screen-advertising/src/lib/relay.ts';
import { type Running, start } from '../relay/support/running-relay.ts';
import { useScripted } from '../shared/support/scripted-service.ts';
import { freePort } from '../support/free-port.ts';
import { useService } from './app/use-service.ts';
import { readZapierError } from './app/zapier.ts';

const service = useService();
let relay: Running;
beforeAll(async () => {
  relay = await start();
});

/** A well-formed key that no relay has issued. */
const unknownKey = `rly_${'a'.repeat(43)}.whsec_${'b'.repeat(43)}=`;

function connectTo(relay_base_url: string, connector_key: string) {
  return service().connect({ fields: { relay_base_url, connector_key } });
}

async function errorOf(relayUrl: string, connectorKey: string) {
  return connectTo(relayUrl, connectorKey).catch(readZapierError);
}

describe('a connection with a relay', () => {
  it('is made once the service and the relay have accepted it', async () => {
    const { url, key } = relay;
    const zapier = await connectTo(`${url}/`, ` ${key.connectorKey} `);
    expect(await zapier.run('authentication.test')).toHaveProperty('connection');
    expect(service().calls()).toContain('GET /screens?limit=1 200');
  });

  it('is refused in the form, in words, when the relay does not know the key', async () => {
    const { url } = relay;
    expect(await errorOf(url, unknownKey)).toMatchObject({
      name: 'AppError',
      code: 'urn:screen-advertising:relay:problem:unauthorized',
      status: 401,
      message:
        'The test of the connection failed: the relay did not accept the credentials (401). The relay says: "This token is unknown or revoked. Ask the operator of the relay for a connector key." Check that the connector key is complete and belongs to this relay.',
    });
  });
});

describe('a relay', () => {
  const page = useScripted();
  // Retries do not wait.
  beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));

  it('that is down refuses no connection, and no step that does not need it', async () => {
    const zapier = await connectTo(`http://127.0.0.1:${await freePort()}`, unknownKey);
    expect(await zapier.search('find_user', { email: 'nobody@example.com' })).toEqual([]);
  });

  it('that is overloaded refuses no connection', async () => {
    page.on('GET /me', { status: 503 }, { status: 503 }, { status: 503 });
    expect(await connectTo(page.origin, unknownKey)).toHaveProperty('run');
  });

  it('that is a web page is refused, with the name of the field', async () => {
    page.on('GET /me', { status: 404, body: 'Nothing here' });
    expect(await errorOf(page.origin, unknownKey)).toMatchObject({
      name: 'AppError',
      message: expect.stringContaining('Check that the Relay Base URL leads to the relay.'),
    });
  });

  it('whose host does not exist is refused', () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const failure = { code: 'network_error', sent: 'no' } as const;
    expect(isRelayDown(new TransportError('No response', { ...failure, cause }))).toBe(false);
    expect(isRelayDown(new TransportError('No response', failure))).toBe(true);
  });
});

const echo = useScripted();

it("Zapier's log shows no half of the connector key that the relay sends back", async () => {
  const [token = '', signingSecret = ''] = unknownKey.split('.');
  const body = { name: 'main', source: token, note: signingSecret };
  echo.on('GET /me', { body });
  echo.on('PUT /subscriptions', { status: 400, body });
  const lines: string[] = [];
  const log = (...line: unknown[]) => lines.push(JSON.stringify(line));
  const zapier = await service().connect({
    fields: { relay_base_url: echo.origin, connector_key: unknownKey },
    event: { customLogger: log },
  });
  const subscribing = 'triggers.coupon_redeemed.operation.performSubscribe';
  const targetUrl = 'https://hooks.zapier.com/hooks/standard/1';
  const error = await zapier.run(subscribing, { targetUrl }).catch(readZapierError);
  expect(echo.received.length).toBeGreaterThan(1);
  const shown = JSON.stringify([lines, error]);
  expect(lines.join()).toContain(echo.origin);
  expect(shown).not.toContain(token);
  expect(shown).not.toContain(signingSecret);
});
