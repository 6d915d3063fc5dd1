import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Running, start } from '../relay/support/running-relay.ts';
import { ScriptedService } from '../shared/support/scripted-service.ts';
import { useService } from './app/use-service.ts';
import { readZapierError } from './app/zapier-error.ts';

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
      code: 'authentication_failed',
      status: 401,
      message:
        'The test of the connection failed: the relay did not accept the credentials (401). Check that the connector key is complete and belongs to this relay.',
    });
  });
});

it("Zapier's log shows no half of the connector key that the relay sends back", async () => {
  const echo = new ScriptedService();
  await echo.start();
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
  const { origin } = echo;
  await echo.stop();
  expect(echo.received.length).toBeGreaterThan(1);
  const shown = JSON.stringify([lines, error]);
  expect(lines.join()).toContain(origin);
  expect(shown).not.toContain(token);
  expect(shown).not.toContain(signingSecret);
});
