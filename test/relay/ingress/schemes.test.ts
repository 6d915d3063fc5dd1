import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  headerOf,
  nameOf,
  schemeSecret,
  schemes,
  signsTime,
  spoilt,
} from '../../support/signature-schemes.ts';
import { openPage } from '../operator/support.ts';
import { sourceSecret, start, startAt } from '../support/running-relay.ts';

const now = Date.parse(startAt) / 1000;
const bodyOf = (id: string) =>
  `{"id":"${id}","type":"coupon.redeemed","data":{"code":"SPRING-25"}}`;

/** Each takes five deliveries; the verifier's own tests take all of them. */
const some = schemes.filter((_, nth) => nth % 5 === 0);

describe('a source', () => {
  it(`stores deliveries in each of ${some.length} schemes, and refuses them changed by a bit`, async () => {
    const { relay, deliver } = await start();
    await relay.sources.add('any', schemeSecret);
    let t = now;
    const statusOf = async (body: string, signature: string) => {
      // A relay searches 20 times a second.
      await relay.clock.advance(1000);
      return (await deliver(body, { source: 'any', signature })).status;
    };
    const seen: unknown[] = [];
    for (const scheme of some) {
      t += 5;
      const body = bodyOf(nameOf(scheme).replaceAll('"', ''));
      const statuses = [await statusOf(body, headerOf(scheme, t, body))];
      for (const [what, changed] of Object.entries(spoilt(scheme, t, body))) {
        if (what === 'time' && !signsTime(scheme)) continue;
        statuses.push(await statusOf(changed.body, changed.signature));
      }
      seen.push([nameOf(scheme), ...new Set(statuses)]);
    }
    expect(seen).toEqual(some.map((scheme) => [nameOf(scheme), 202, 401]));
  });
});

const type = 'campaign.paid';
const hmac = (algorithm: string, content: string) =>
  createHmac(algorithm, sourceSecret).update(content).digest('hex');
const usual = { algorithm: 'sha256', signed_content: '{t}.{body}', key: 'text' };
const bodyOnly = { algorithm: 'sha512', signed_content: '{body}', key: 'text' };

it('a source shows how the service signs and since when, and logs a change', async () => {
  const logged: object[] = [];
  const write = (fields: object, text: string) => logged.push({ ...fields, text });
  const log = { debug: () => {}, info: write, warn: write, error: write };
  const { relay, deliver } = await start({ log });
  expect(await relay.sources.list()).toMatchObject([{ scheme: null, scheme_since: null }]);
  await deliver({ id: '1', type });
  await relay.clock.advance(2_000);
  await deliver({ id: '2', type });
  const [before] = await relay.sources.list();
  expect(before).toMatchObject({ scheme: usual, scheme_since: startAt, note: null });
  const body = JSON.stringify({ id: '3', type });
  const signature = `t=${now},v1=${hmac('sha512', body)}`;
  expect((await deliver(body, { signature })).status).toBe(202);
  const [after] = await relay.sources.list();
  expect(after).toMatchObject({
    scheme: bodyOnly,
    scheme_since: '2027-03-01T09:00:02.000Z',
    note: 'The signature covers only the body, so a recorded delivery can be sent again: that duplicates are dropped is the only defense.',
  });
  const to = 'HMAC-SHA-256 of {t}.{body} with the secret';
  expect(logged).toEqual([
    { source: 'main', to, text: 'The service signs the deliveries of a source' },
    {
      source: 'main',
      from: to,
      to: 'HMAC-SHA-512 of {body} with the secret',
      text: 'The service signs the deliveries of a source in a new way',
    },
  ]);
});

it('the page shows it, with what to know about a signature of the body alone', async () => {
  const { visitor, deliver } = await openPage();
  const body = JSON.stringify({ id: '3', type });
  await deliver(body, { signature: `t=${now},v1=${hmac('sha512', body)}` });
  const { html } = await visitor.get('/operator/sources');
  expect(html).toContain('HMAC-SHA-512 of {body} with the secret, since');
  expect(html).toContain('The signature covers only the body');
});
