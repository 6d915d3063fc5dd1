import { beforeEach, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import {
  headerOf,
  nameOf,
  schemeSecret,
  schemes,
  signsTime,
  spoilt,
} from '../../support/signature-schemes.ts';
import { startRelayed } from '../app/relayed.ts';
import { createZapierRunner } from '../app/runner.ts';
import { readZapierError } from '../app/zapier-error.ts';
import { turnOnHookZap } from '../app/zapier-hooks.ts';

/** What the app wrote to the log of the Zap. */
let log: string[];

beforeEach(() => {
  log = [];
});

const runner = createZapierRunner({
  baseUrl: 'https://service.example/api/v1',
  credentials: { apiKey: 'svc_abc' },
  fields: { signing_secret: schemeSecret },
  event: {
    customLogger: (message: string, { log_type }: { readonly log_type: string }) =>
      log_type === 'console' && log.push(message.trim()),
  },
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
    const unsigned =
      'The signature of this delivery covers only the body, not the time. Anyone who recorded it can start the Zap with it again. Ask the Screen Advertising team to sign the time too. Until then, check the Event ID before a step that must run once.';
    expect(log).toEqual(signsTime(scheme) ? [] : [unsigned]);
  },
);

// At most 19 searches find nothing here: a process makes 20 a second.
it('no Zap starts for a delivery that was changed by a bit', async () => {
  const sampled = schemes.filter(signsTime).filter((_, nth, all) => nth % (all.length / 4) === 0);
  expect(sampled).toHaveLength(4);
  for (const scheme of sampled) {
    for (const changed of Object.values(spoilt(scheme, now(), body))) {
      expect(await receive(changed.body, changed.signature)).toMatchObject({
        message: expect.stringContaining('matches none of the signing secrets'),
      });
    }
  }
});

it('a Zap starts through a relay, without a setting, for a service that signs in another way', async () => {
  const relayed = await startRelayed();
  const { relay, url } = relayed;
  const zap = await turnOnHookZap(relayed.zapier, 'campaign_paid_through_relay');
  const sandbox = createSandbox({
    clock: 'frozen',
    startAt: relay.clock.now(),
    variants: { signatureScheme: 'sha512,body,base64' },
  });
  const [{ signingSecret }] = sandbox.accesses;
  await relay.sources.rotate('main', signingSecret);
  sandbox.webhooks.add({ url: `${url}/in/main` });
  await sandbox.fire('campaign.paid');
  await relay.clock.advance(0);
  await sandbox.close();
  expect(await zap.outcomes()).toMatchObject([[{ type: 'campaign.paid' }]]);
  expect(await relay.sources.list()).toMatchObject([
    { scheme: { algorithm: 'sha512', signed_content: '{body}', key: 'base64' } },
  ]);
});
