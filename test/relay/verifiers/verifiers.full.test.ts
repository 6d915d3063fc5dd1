import { describe, expect, it } from '@jest/globals';
import type { NewToken } from '@screen-advertising/relay';
import { Engine } from '../../n8n/engine/engine.ts';
import { serveWebhook } from '../../n8n/engine/webhook-server.ts';
import { type Arrival, startReceiver } from '../../sandbox/support/receiver.ts';
import { createZapierRunner } from '../../zapier/app/runner.ts';
import { type Running, start } from '../support/running-relay.ts';

const type = 'coupon.redeemed';
const event = { id: 'evt_1', type, data: { code: 'SPRING-25', note: 'Grüße, 日本 \u2028' } };
/** White space and an order that no JSON library writes: only the original bytes verify. */
const body = ` ${JSON.stringify(event, null, 3)}\r\n`;

/**
 * A verifier with a secret. Rejects if the delivery is invalid; otherwise resolves with its event.
 */
type Verifier = (arrival: Arrival, secret: string) => unknown;

const verifiers: Record<string, Verifier> = {
  "Zapier's own core": async ({ headers, body: content }, secret) => {
    const runner = createZapierRunner({
      baseUrl: 'https://service.example/api/v1',
      credentials: { apiKey: 'svc_abc' },
      fields: { signing_secret: secret },
    });
    // Headers in Zapier's format.
    const named = Object.entries(headers).map(([name, value]) => [`Http-${name}`, String(value)]);
    const [record] = await runner.hook('coupon_redeemed_manual_setup', {
      headers: Object.fromEntries(named),
      content,
    });
    return record;
  },
  "n8n's engine": async ({ headers, body: received }, secret) => {
    const engine = await Engine.start({ screenAdvertisingWebhookApi: { signingSecret: secret } });
    const trigger = {
      id: 'trigger',
      type: 'screenAdvertisingTrigger',
      parameters: { delivery: 'direct', events: [type] },
    };
    const server = await serveWebhook(engine, trigger);
    try {
      const { host: _host, connection: _connection, ...sent } = headers as Record<string, string>;
      const response = await fetch(server.url, { method: 'POST', headers: sent, body: received });
      const [[item] = []] = server.executions;
      if (!item) throw new Error(await response.text());
      return item.json;
    } finally {
      await server.close();
    }
  },
};

/** With the current time, which most verifiers take from the machine. */
async function delivered(rotate: (running: Running) => Promise<NewToken | undefined>) {
  const receiver = await startReceiver();
  const running = await start({ startAt: Date.now() });
  await running.call('PUT', '/subscriptions', { target_url: receiver.url, events: [type] });
  const next = await rotate(running);
  await running.deliver(body);
  await running.relay.clock.advance(0);
  const [arrival] = receiver.arrivals;
  if (!arrival) throw new Error('Nothing was delivered.');
  return { arrival, secret: running.key.signingSecret, next: next?.signingSecret };
}

describe.each(Object.entries(verifiers))('%s', (_name, verify) => {
  it('accepts a delivery of the relay, and rejects a changed one', async () => {
    const { arrival, secret } = await delivered(async () => undefined);
    expect(arrival.body).toBe(body);
    expect(await verify(arrival, secret)).toMatchObject(event);
    const changed = { ...arrival, body: body.replace('SPRING', 'SUMMER') };
    await expect(async () => verify(changed, secret)).rejects.toThrow();
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    await expect(async () => verify(arrival, other)).rejects.toThrow();
  });

  it('accepts it with either secret during a token rotation', async () => {
    const { arrival, secret, next } = await delivered(async ({ relay }) => {
      const [token] = await relay.tokens.list();
      return relay.tokens.rotate('main', token?.name ?? '');
    });
    expect(next).not.toBe(secret);
    for (const one of [secret, next ?? '']) {
      expect(await verify(arrival, one)).toMatchObject(event);
    }
  });
});
