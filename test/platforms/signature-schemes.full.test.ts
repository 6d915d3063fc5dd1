import { beforeEach, expect, it, jest } from '@jest/globals';
import { useWebhooks } from '../n8n/webhook-bench.ts';
import { start, startAt } from '../relay/support/running-relay.ts';
import {
  headerOf,
  nameOf,
  schemeSecret,
  schemes,
  signsTime,
  spoilt,
} from '../support/signature-schemes.ts';
import { createZapierRunner } from '../zapier/app/runner.ts';

/** Whether a receiver accepts a delivery. */
type Receive = (body: string, signature: string) => Promise<boolean>;

const bench = useWebhooks();

/** Each delivery arrives in another second, since a process makes 20 searches a second. */
let moment = Date.parse(startAt) / 1000;
beforeEach(() => {
  jest.spyOn(Date, 'now').mockImplementation(() => moment * 1000);
  // Zapier prints a line for each delivery whose time is not signed.
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
});

const headers = (signature: string) => ({ 'x-service-signature': signature });

const receivers: Record<string, () => Promise<Receive>> = {
  async n8n() {
    const stored = { screenAdvertisingWebhookApi: { signingSecret: schemeSecret } };
    const server = await bench.publish({}, { stored });
    return async (body, signature) => {
      const before = server.executions.length;
      const { status } = await bench.deliver({ body, headers: headers(signature) }, server);
      expect([status, server.executions.length - before]).toEqual(
        status === 200 ? [200, 1] : [401, 0],
      );
      return status === 200;
    };
  },
  async Zapier() {
    const zapier = createZapierRunner({
      baseUrl: 'https://service.example/api/v1',
      credentials: { apiKey: 'svc_abc' },
      fields: { signing_secret: schemeSecret },
    });
    return (content, signature) =>
      zapier.hook('coupon_redeemed_manual_setup', { headers: headers(signature), content }).then(
        (started) => started.length === 1,
        (error: Error) => {
          expect(error.message).toContain('matches none of the signing secrets');
          return false;
        },
      );
  },
  async relay() {
    const { relay, deliver } = await start();
    await relay.sources.add('any', schemeSecret);
    return async (body, signature) => {
      await relay.clock.advance(moment * 1000 - relay.clock.now());
      const { status } = await deliver(body, { source: 'any', signature });
      expect([202, 401]).toContain(status);
      return status === 202;
    };
  },
};

it.each(Object.keys(receivers))(
  `%s accepts each of ${schemes.length} schemes, and refuses them changed by a bit`,
  async (name) => {
    const receive = await receivers[name]?.();
    const seen: unknown[] = [];
    for (const scheme of schemes) {
      const body = `{"id":"evt ${nameOf(scheme).replace(/["\\]/g, '')}","type":"coupon.redeemed","data":{"code":"SPRING-25"}}`;
      moment += 1;
      const signedAt = moment;
      const accepted = await receive?.(body, headerOf(scheme, signedAt, body));
      const refused: string[] = [];
      for (const [what, changed] of Object.entries(spoilt(scheme, signedAt, body))) {
        // A bit of the time changes nothing where it is not signed.
        if (what === 'time' && !signsTime(scheme)) continue;
        moment += 1;
        if (!(await receive?.(changed.body, changed.signature))) refused.push(what);
      }
      seen.push([nameOf(scheme), accepted, refused]);
    }
    expect(seen).toEqual(
      schemes.map((scheme) => [
        nameOf(scheme),
        true,
        ['body', ...(signsTime(scheme) ? ['time'] : []), 'digest', 'secret'],
      ]),
    );
  },
  120_000,
);
