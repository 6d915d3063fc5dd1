import { expect, it } from '@jest/globals';
import {
  headerOf,
  nameOf,
  schemeSecret,
  schemes,
  signsTime,
  spoilt,
} from '../../support/signature-schemes.ts';
import { createZapierRunner } from '../app/runner.ts';
import { readZapierError } from '../app/zapier-error.ts';

const runner = createZapierRunner({
  baseUrl: 'https://service.example/api/v1',
  credentials: { apiKey: 'svc_abc' },
  fields: { signing_secret: schemeSecret },
});
const now = () => Math.floor(Date.now() / 1000);
const body = '{"id":"evt_1","type":"coupon.redeemed","data":{"code":"SPRING-25"}}';
const receive = (content: string, signature: string) =>
  runner
    .hook('coupon_redeemed', { headers: { 'X-Service-Signature': signature }, content })
    .catch(readZapierError);

it.each(schemes.map((scheme) => [nameOf(scheme), scheme] as const))(
  'a Zap starts for a delivery signed with %s, without a setting',
  async (_name, scheme) => {
    expect(await receive(body, headerOf(scheme, now(), body))).toEqual([
      expect.objectContaining({ id: 'evt_1' }),
    ]);
  },
);

// At most 19 searches find nothing here: a process makes 20 a second.
it('no Zap starts for a delivery that was changed by a bit', async () => {
  for (const scheme of schemes
    .filter(signsTime)
    .filter((_, nth, all) => nth % (all.length / 4) === 0)) {
    for (const changed of Object.values(spoilt(scheme, now(), body))) {
      expect(await receive(changed.body, changed.signature)).toMatchObject({
        message: expect.stringContaining('matches none of the signing secrets'),
      });
    }
  }
});
