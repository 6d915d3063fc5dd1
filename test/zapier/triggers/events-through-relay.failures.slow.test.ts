import { describe, expect, it, jest } from '@jest/globals';
import { signedDeliveryHeaders } from '../../../packages/relay/src/outbound/post.ts';
import { type ScriptedResponse, ScriptedService } from '../../shared/support/scripted-service.ts';
import { happen, type Relayed, startRelayed, turnOnHookZap } from '../app/hook-zap.ts';
import { readZapierError } from '../app/zapier.ts';

const hour = 3_600_000;
const key = 'coupon_redeemed';
const list = `triggers.${key}.operation.performList`;
const redeemed = (code: string) => ({ type: 'coupon.redeemed', data: { code } });

const otherKey =
  "The signature does not match the connector key of this connection. If the relay's page shows this delivery, the key was changed: connect again with the current key, turn the Zap off and on, and replay the event.";

/** A lost event, which its owner must hear of: a halted run notifies no one. */
const lost = {
  name: 'AppError',
  code: 'webhook_verification_failed',
  message: otherKey,
};

describe('a delivery that cannot be verified', () => {
  const content = JSON.stringify(redeemed('FREE'));
  const known = 'evt_019500000000700080000000000000ff';
  type Headers = Record<string, string>;

  /** As the relay signs, with each header as Zapier writes it. */
  function signed({ relay, key: { signingSecret } }: Relayed, body: string, age = 0): Headers {
    const now = relay.clock.now() - age * 1000;
    const bytes = Buffer.from(body);
    const headers = signedDeliveryHeaders({
      id: known,
      body: bytes,
      secrets: [signingSecret],
      now,
    });
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`Http-${name}`, value]),
    );
  }

  const cases: [string, (relayed: Relayed) => Headers, object][] = [
    [
      'halts the run without a signature, as a stranger sends it',
      () => ({}),
      {
        name: 'HaltedError',
        message:
          'The delivery has no webhook-id and webhook-signature headers, so it did not come from the relay.',
      },
    ],
    ['is reported with a changed body', (relayed) => signed(relayed, `${content} `), lost],
    [
      'is reported when it was signed too long ago',
      (relayed) => signed(relayed, content, 1201),
      {
        name: 'AppError',
        message: expect.stringMatching(/^The delivery was signed 1201 s in the/),
      },
    ],
  ];

  it.each(cases)('%s', async (_what, headersOf, expected) => {
    const relayed = await startRelayed();
    const headers = headersOf(relayed);
    const outcome = await relayed.zapier.hook(key, { headers, content }).catch(readZapierError);
    expect(outcome).toMatchObject(expected);
  });

  it('makes no request to the relay, even with the ID of an event that it knows', async () => {
    const relayed = await startRelayed();
    const counting = new ScriptedService();
    await counting.start();
    relayed.zapier.edit({ relay_base_url: counting.origin });
    const headers = signed(relayed, `${content} `);
    const outcome = await relayed.zapier.hook(key, { headers, content }).catch(readZapierError);
    expect(outcome).toEqual(lost);
    expect(counting.received).toEqual([]);
    await counting.stop();
  });

  it('does not count as a test for an unsigned mark, or as a sample for a field of the event', async () => {
    const relayed = await startRelayed();
    const honest = JSON.stringify({ ...redeemed('FREE'), is_sample: true });
    const headers = { ...signed(relayed, honest), 'Http-X-Relay-Test': 'sample' };
    expect(await relayed.zapier.hook(key, { headers, content: honest })).toMatchObject([
      { id: known, ...redeemed('FREE') },
    ]);
  });
});

it('a rotated connector key says what to do, and a replay with the new one recovers the event', async () => {
  const relayed = await startRelayed();
  const { relay, call, zapier } = relayed;
  const zap = await turnOnHookZap(zapier, key);
  const [old] = await relay.tokens.list();
  const { connectorKey } = await relay.tokens.rotate('main', old?.name ?? '');
  const [token] = connectorKey.split('.');
  // Another connection of the same key, which was changed.
  await call('GET', '/me', undefined, token);
  await relay.clock.advance(25 * hour);
  await happen(relayed, redeemed('A'));
  expect(await zap.outcomes()).toEqual([lost]);
  zapier.edit({ connector_key: connectorKey });
  const { body } = await call('GET', '/events', undefined, token);
  await call('POST', `/events/${body.data[0].id}/redeliver`, {}, token);
  await relay.clock.advance(0);
  expect(await zap.outcomes()).toMatchObject([lost, [redeemed('A')]]);
});

it('a connector key that is not the one of the subscription fails the run, so its owner hears of it', async () => {
  const relayed = await startRelayed();
  const zap = await turnOnHookZap(relayed.zapier, key);
  const { connectorKey } = await relayed.relay.tokens.create('main', 'another');
  relayed.zapier.edit({ connector_key: connectorKey });
  await happen(relayed, redeemed('A'));
  expect(await zap.outcomes()).toEqual([lost]);
});

/** What the trigger meets with a relay that responds like this. */
async function withScripted<Result>(
  route: string,
  answer: ScriptedResponse,
  run: (zapier: Relayed['zapier'], relay: ScriptedService) => Promise<Result>,
): Promise<Result> {
  const { zapier } = await startRelayed();
  const scripted = new ScriptedService();
  await scripted.start();
  scripted.on(route, answer);
  zapier.edit({ relay_base_url: scripted.origin });
  return run(zapier, scripted).finally(() => scripted.stop());
}

describe('what goes wrong is said', () => {
  const needed = {
    name: 'AppError',
    code: 'invalid_configuration',
    message:
      'Coupon Redeemed needs a relay: fill in Relay Base URL and Connector Key in the connection.',
  };
  const subscribing = `triggers.${key}.operation.performSubscribe`;
  const unsubscribing = `triggers.${key}.operation.performUnsubscribe`;
  const bundle = {
    targetUrl: 'https://hooks.zapier.com/hooks/standard/1',
    subscribeData: { id: 'sub_1' },
  };

  it('when the connection has no relay', async () => {
    const { zapier } = await startRelayed();
    zapier.edit({ relay_base_url: '', connector_key: '' });
    for (const method of [subscribing, list]) {
      expect(await zapier.run(method, bundle).catch(readZapierError)).toEqual(needed);
    }
    const delivery = { headers: {}, content: '{}' };
    expect(await zapier.hook(key, delivery).catch(readZapierError)).toEqual(needed);
  });

  it('when the relay refuses the key, by asking the owner to connect again', async () => {
    const { zapier, relay } = await startRelayed();
    const [token] = await relay.tokens.list();
    await relay.tokens.revoke('main', token?.name ?? '');
    for (const method of [subscribing, list]) {
      expect(await zapier.run(method, bundle).catch(readZapierError)).toEqual({
        name: 'ExpiredAuthError',
        message:
          'The relay no longer accepts the connector key of this connection, because it was rotated or revoked. The relay says: "This token is unknown or revoked. Ask the operator of the relay for a connector key." Connect again with the new key.',
      });
    }
  });

  it('when the relay is down', async () => {
    const { zapier, relay, url } = await startRelayed();
    await relay.close();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    for (const method of [subscribing, list]) {
      expect(await zapier.run(method, bundle).catch(readZapierError)).toEqual({
        name: 'AppError',
        code: 'network_error',
        message: `Coupon Redeemed failed: No usable response from the relay: ${new URL(url).host} refused the connection (ECONNREFUSED). Check the Relay Base URL and that the relay is running.`,
      });
    }
    expect(await zapier.run(unsubscribing, bundle)).toEqual({});
  });

  it('when the relay keeps the subscription switched off', async () => {
    const off = { body: { id: 'sub_1', state: 'off', off_reason: 'failing' } };
    const refused = await withScripted('PUT /subscriptions', off, (zapier) =>
      zapier.run(subscribing, bundle).catch(readZapierError),
    );
    expect(refused).toMatchObject({
      name: 'AppError',
      message:
        "The relay stored the subscription but keeps it switched off (failing), so no event would arrive. Switch it on at the relay's page, then turn the Zap on again.",
    });
  });

  it('but a list of more events than requested is cut', async () => {
    const event = { id: 'evt_1', type: 'coupon.redeemed', data: { code: 'A' } };
    const stored = { ...event, received_at: '2027-03-01T09:00:00.000Z', payload: event };
    const data = Array.from({ length: 500 }, () => stored);
    const page = { body: { data, pagination: { has_more: true, cursor: 'same' } } };
    await withScripted('GET /events', page, async (zapier, relay) => {
      expect(await zapier.run(list)).toMatchObject([event, event, event]);
      expect(relay.received).toHaveLength(1);
    });
  });
});
