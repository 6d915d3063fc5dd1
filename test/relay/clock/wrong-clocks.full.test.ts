import { afterEach, describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { createRelay } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { schedule } from '../sender/scene.ts';
import { freshDatabase } from '../support/database.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey, send, sourceSecret } from '../support/running-relay.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const type = 'campaign.paid';

const processes = new Set<RelayProcess>();

afterEach(async () => {
  await Promise.all([...processes].map((process) => process.stop()));
  processes.clear();
});

/** A process on a machine whose clock is this far ahead. */
async function startAhead(databaseUrl: string, role: string, seconds: number): Promise<string> {
  const shift = `const { now } = Date;
    globalThis.Date = class extends Date {
      constructor(...given) { given.length > 0 ? super(...given) : super(Date.now()); }
      static now() { return now() + ${seconds * 1000}; }
    };`;
  const process = await RelayProcess.start({
    DATABASE_URL: databaseUrl,
    RELAY_SECRET_KEY: secretKey,
    RELAY_ROLE: role,
    RELAY_ALLOW_TARGETS: '127.0.0.1',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(shift)}`,
  });
  processes.add(process);
  return process.url;
}

async function deliver(url: string, id: string): Promise<number> {
  const body = JSON.stringify({ id, type });
  const signature = signWebhook({
    body,
    secret: sourceSecret,
    timestamp: Math.floor(Date.now() / 1000),
  });
  return (await send(`${url}/in/main`, 'POST', { 'x-service-signature': signature }, body)).status;
}

describe('with a wrong clock', () => {
  it.each([
    ['ingress', -day],
    ['ingress', 40 * day],
    ['sender', -hour],
    ['sender', 10 * minute],
    ['all', -10 * minute],
    ['all', 40 * day],
  ])(
    'on %s of %d s, nothing is refused, late, pruned early, or wrong in the metrics',
    async (wrong, seconds) => {
      const databaseUrl = await freshDatabase();
      const { url: target_url } = await startReceiver([500]);
      const admin = await createRelay({ databaseUrl, secretKey, role: 'ingress' });
      await admin.sources.add('main', sourceSecret);
      const { token } = await admin.tokens.create('main', 'own');
      const { url } = await admin.listen();
      const headers = { authorization: `Bearer ${token}` };
      await send(`${url}/api/v1/subscriptions`, 'PUT', headers, { target_url, events: [type] });
      expect(await deliver(url, 'before')).toBe(202);
      await admin.close();

      const ahead = await startAhead(databaseUrl, wrong, seconds);
      const roleOfOther = wrong === 'ingress' ? 'sender' : 'ingress';
      const right = wrong === 'all' ? ahead : await startAhead(databaseUrl, roleOfOther, 0);
      const ingress = wrong === 'sender' ? right : ahead;
      expect(await deliver(ingress, 'new')).toBe(202);
      const list = async (what: string) =>
        (await send(`${ingress}/api/v1/${what}`, 'GET', headers)).body.data;
      await eventually(
        async () =>
          (await list('deliveries?state=delivered')).length === 1 &&
          (await list('deliveries?state=pending'))[0]?.attempts.length === 1,
      );
      const [{ next_attempt_at: next, attempts }] = await list('deliveries?state=pending');
      const [, delay = 0] = schedule;
      expect((Date.parse(next) - Date.parse(attempts[0].at)) / 1000 / delay).toBeCloseTo(1, 0);
      const events = await list('events');
      expect(events).toHaveLength(2);
      for (const { received_at } of events) {
        expect(Math.abs(Date.parse(received_at) - Date.now())).toBeLessThan(2 * minute * 1000);
      }
      const metrics = await (await fetch(`${ahead}/metrics`)).text();
      const offset = Number(/^relay_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]);
      expect(Math.abs(offset - seconds)).toBeLessThan(5);
    },
  );
});
