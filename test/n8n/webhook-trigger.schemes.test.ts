import { describe, expect, it } from '@jest/globals';
import {
  headerOf,
  nameOf,
  schemeSecret,
  schemes,
  signsTime,
  spoilt,
} from '../support/signature-schemes.ts';
import { useWebhooks } from './webhook-bench.ts';

const bench = useWebhooks();
const stored = { screenAdvertisingWebhookApi: { signingSecret: schemeSecret } };
const now = () => Math.floor(Date.now() / 1000);
const bodyOf = (id: string) =>
  `{"id":"${id}","type":"coupon.redeemed","data":{"code":"SPRING-25"}}`;

describe('the trigger', () => {
  it(`starts the workflow for each of ${schemes.length} schemes, without an option`, async () => {
    const server = await bench.publish({}, { stored });
    const seen: unknown[] = [];
    for (const [nth, scheme] of schemes.entries()) {
      const body = bodyOf(`evt_${nth}`);
      const headers = { 'x-service-signature': headerOf(scheme, now(), body) };
      seen.push([nameOf(scheme), (await bench.deliver({ body, headers }, server)).status]);
    }
    expect(seen).toEqual(schemes.map((scheme) => [nameOf(scheme), 200]));
    expect(server.executions).toHaveLength(schemes.length);
  });

  // At most 19 searches find nothing here: a process makes 20 a second.
  it('starts nothing for a delivery that was changed by a bit', async () => {
    const server = await bench.publish({}, { stored });
    const body = bodyOf('evt_1');
    for (const scheme of schemes
      .filter(signsTime)
      .filter((_, nth, all) => nth % (all.length / 4) === 0)) {
      for (const changed of Object.values(spoilt(scheme, now(), body))) {
        const headers = { 'x-service-signature': changed.signature };
        const response = await bench.deliver({ body: changed.body, headers }, server);
        expect(response.status).toBe(401);
      }
    }
    expect(server.executions).toEqual([]);
  });
});
