import { describe, expect, it } from '@jest/globals';
import {
  headerOf,
  nameOf,
  schemeSecret,
  schemes,
  signsTime,
  spoilt,
} from '../../support/signature-schemes.ts';
import { start, startAt } from '../support/running-relay.ts';

const now = Date.parse(startAt) / 1000;
const bodyOf = (id: string) =>
  `{"id":"${id}","type":"coupon.redeemed","data":{"code":"SPRING-25"}}`;

describe('a source', () => {
  it(`stores deliveries in each of ${schemes.length} schemes, and refuses them changed by a bit`, async () => {
    const { relay, deliver } = await start();
    await relay.sources.add('any', schemeSecret);
    let t = now;
    const statusOf = async (body: string, signature: string) => {
      // A relay searches 20 times a second.
      await relay.clock.advance(1000);
      return (await deliver(body, { source: 'any', signature })).status;
    };
    const seen: unknown[] = [];
    for (const scheme of schemes) {
      t += 5;
      const body = bodyOf(nameOf(scheme).replaceAll('"', ''));
      const statuses = [await statusOf(body, headerOf(scheme, t, body))];
      for (const [what, changed] of Object.entries(spoilt(scheme, t, body))) {
        if (what === 'time' && !signsTime(scheme)) continue;
        statuses.push(await statusOf(changed.body, changed.signature));
      }
      seen.push([nameOf(scheme), ...new Set(statuses)]);
    }
    expect(seen).toEqual(schemes.map((scheme) => [nameOf(scheme), 202, 401]));
  });
});
