import { describe, expect, it, jest } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { happen, type Relayed, startRelayed } from '../app/relayed.ts';
import { readZapierError } from '../app/zapier-error.ts';
import { turnOnHookZap } from '../app/zapier-hooks.ts';

const hour = 3_600_000;
const key = 'coupon_redeemed_through_relay';
const list = `triggers.${key}.operation.performList`;
const redeemed = (code: string) => ({ type: 'coupon.redeemed', data: { code } });

describe('what a stranger sends halts the run', () => {
  const content = JSON.stringify(redeemed('FREE'));
  const mismatch =
    'The signature matches none of the signing secrets. Check that the secret belongs to this access and that nothing changed the body.';

  async function sent(headersOf: (relayed: Relayed) => Record<string, string>) {
    const relayed = await startRelayed();
    return relayed.zapier
      .hook(key, { headers: headersOf(relayed), content })
      .catch(readZapierError);
  }

  const sign = ({ relay, key: { signingSecret } }: Relayed, body: string, age = 0) => ({
    'Http-X-Service-Signature': signWebhook({
      body,
      secret: signingSecret,
      timestamp: Math.floor(relay.clock.now() / 1000) - age,
    }),
  });

  it.each<[string, (relayed: Relayed) => Record<string, string>, string]>([
    [
      'without a signature',
      () => ({}),
      'The delivery has no x-service-signature header, so it did not come from the service.',
    ],
    ['with a changed body', (relayed) => sign(relayed, `${content} `), mismatch],
    [
      'with a changed body and an ID that the relay does not know',
      (relayed) => ({
        ...sign(relayed, `${content} `),
        'Http-Webhook-Id': 'evt_019500000000700080000000000000ff',
      }),
      mismatch,
    ],
    [
      'with a changed body and an ID that leads elsewhere',
      (relayed) => ({ ...sign(relayed, `${content} `), 'Http-Webhook-Id': '../me?' }),
      mismatch,
    ],
  ])('%s', async (_what, headersOf, message) => {
    expect(await sent(headersOf)).toEqual({ name: 'HaltedError', message });
  });

  it('signed too long ago', async () => {
    expect(await sent((relayed) => sign(relayed, content, 1201))).toMatchObject({
      name: 'HaltedError',
      message: expect.stringMatching(/^The delivery was signed 1201 s in the past/),
    });
  });

  it('also while the relay is down', async () => {
    const relayed = await startRelayed();
    const headers = { ...sign(relayed, `${content} `), 'Http-Webhook-Id': 'evt_1' };
    await relayed.relay.close();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const error = await relayed.zapier.hook(key, { headers, content }).catch(readZapierError);
    expect(error).toEqual({ name: 'HaltedError', message: mismatch });
  });
});

describe('a rotated connector key', () => {
  const expired = {
    name: 'ExpiredAuthError',
    message:
      'The relay no longer accepts the connector key of this connection, because it was rotated or revoked. Connect again with the new key, then replay the event on the page of the relay.',
  };

  async function rotated() {
    const relayed = await startRelayed();
    const zap = await turnOnHookZap(relayed.zapier, key);
    const [token] = await relayed.relay.tokens.list();
    const { connectorKey } = await relayed.relay.tokens.rotate('main', token?.name ?? '');
    return { ...relayed, zap, connectorKey };
  }

  it('works for a day, in which the new one takes its place without a loss', async () => {
    const relayed = await rotated();
    const { relay, zap, zapier } = relayed;
    await relay.clock.advance(23 * hour);
    await happen(relayed, redeemed('A'));
    zapier.edit({ connector_key: relayed.connectorKey });
    await happen(relayed, redeemed('B'));
    await relay.clock.advance(2 * hour);
    await happen(relayed, redeemed('C'));
    expect(await zap.outcomes()).toMatchObject([[redeemed('A')], [redeemed('B')], [redeemed('C')]]);
    expect(await zapier.run(list)).toHaveLength(3);
  });

  it('that was not replaced asks the owner to connect again, and a replay recovers the event', async () => {
    const relayed = await rotated();
    const { relay, call, zap, zapier, connectorKey } = relayed;
    await relay.clock.advance(25 * hour);
    await happen(relayed, redeemed('A'));
    expect(await zap.outcomes()).toEqual([expired]);
    zapier.edit({ connector_key: connectorKey });
    const [token] = connectorKey.split('.');
    const { body } = await call('GET', '/events', undefined, token);
    await call('POST', `/events/${body.data[0].id}/replay`, {}, token);
    await relay.clock.advance(0);
    expect(await zap.outcomes()).toMatchObject([expired, [redeemed('A')]]);
  });

  it('that was not replaced keeps no Zap from being turned off', async () => {
    const relayed = await rotated();
    await relayed.relay.clock.advance(25 * hour);
    await relayed.zap.turnOff();
    expect(relayed.zap.state).toBe('off');
  });
});

it('a connector key that is not the one of the subscription is an error its owner hears of', async () => {
  const relayed = await startRelayed();
  const zap = await turnOnHookZap(relayed.zapier, key);
  const { connectorKey } = await relayed.relay.tokens.create('main', 'another');
  relayed.zapier.edit({ connector_key: connectorKey });
  await happen(relayed, redeemed('A'));
  expect(await zap.outcomes()).toEqual([
    {
      name: 'AppError',
      code: 'invalid_configuration',
      message:
        'The Zap subscribed with a different connector key than the one in the connection, so this delivery cannot be verified. Restore that key and replay the event on the page of the relay, or turn the Zap off and on to receive later events.',
    },
  ]);
});

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
          'The relay no longer accepts the connector key of this connection, because it was rotated or revoked. Connect again with the new key.',
      });
    }
  });

  it('when the relay is down', async () => {
    const { zapier, relay, url } = await startRelayed();
    await relay.close();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    for (const method of [subscribing, list, unsubscribing]) {
      expect(await zapier.run(method, bundle).catch(readZapierError)).toEqual({
        name: 'AppError',
        code: 'network_error',
        message: `No usable response from the relay: ${new URL(url).host} refused the connection (ECONNREFUSED). Check the base URL and that the service is running.`,
      });
    }
  });

  it('when the relay has had too many requests', async () => {
    const { zapier, call } = await startRelayed();
    for (let count = 0; count < 60; count += 1) await call('GET', '/me', undefined, 'rly_wrong');
    expect(await zapier.run(subscribing, bundle).catch(readZapierError)).toEqual({
      name: 'ThrottledError',
      delay: 60,
      message: 'Subscribe failed: rate limit reached (429). Retry in 60 s.',
    });
  });

  it('when the relay refuses the address of the Zap', async () => {
    const { zapier } = await startRelayed();
    const targetUrl = 'http://10.0.0.1/hooks';
    const error = await zapier.run(subscribing, { targetUrl }).catch(readZapierError);
    expect(error).toMatchObject({
      name: 'AppError',
      status: 400,
      message:
        'Subscribe failed: the relay rejected the request (400). The relay says: "target_url: use https; http works only for targets in RELAY_ALLOW_TARGETS, and 10.0.0.1 is not one of them." Check the fields you sent.',
    });
  });
});
