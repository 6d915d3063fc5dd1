import { beforeAll, describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { type Running, send, sourceSecret, start, startAt } from '../../support/running-relay.ts';

const secretOfShop = 'signing-secret-of-the-shop';
const body = JSON.stringify({
  id: '1',
  type: 'campaign.paid',
  data: { email: 'anna@example.com' },
});
const seconds = Date.parse(startAt) / 1000;
const signed = (secret: string, timestamp = seconds, what = body) =>
  signWebhook({ body: what, secret, timestamp });

let shared: Running;

/** Of each test, since time must not pass between them. */
const sources = Array.from({ length: 9 }, (_, nth) => `source-${nth}`);

beforeAll(async () => {
  shared = await start();
  await shared.relay.sources.add('shop', secretOfShop);
  for (const name of sources) await shared.relay.sources.add(name, sourceSecret);
});

describe('a refused delivery', () => {
  it.each([
    ['without a signature', undefined, body, 'missing_signature', false, null, null],
    ['with half a header', 't=17722', body, 'malformed_signature', false, seconds - 17722, null],
    [
      'of an hour ago',
      signed(sourceSecret, seconds - 3600),
      body,
      'timestamp_out_of_tolerance',
      true,
      3600,
      null,
    ],
    [
      'signed with an unknown secret',
      signed('unknown', seconds + 5),
      body,
      'signature_mismatch',
      true,
      -5,
      null,
    ],
    [
      "signed with another source's secret",
      signed(secretOfShop),
      body,
      'signature_mismatch',
      true,
      0,
      'shop',
    ],
    [
      'that is no event',
      signed(sourceSecret, seconds, '[1]'),
      '[1]',
      'malformed_body',
      true,
      0,
      null,
    ],
    [
      'that is nested',
      signed(sourceSecret, seconds, nested()),
      nested(),
      'malformed_body',
      true,
      0,
      null,
    ],
    [
      'that is too large',
      signed(sourceSecret),
      'x'.repeat(2 ** 20 + 1),
      'too_large',
      true,
      0,
      null,
    ],
  ] as const)('%s says why, and holds neither body nor secret', async (...row) => {
    const [, signature, sent, reason, isReadable, age, fits] = row;
    const source = sources.pop() ?? '';
    const headers = {
      'x-planted': 'planted-value',
      ...(signature && { 'x-service-signature': signature }),
    };
    await send(`${shared.url}/in/${source}`, 'POST', headers, sent);
    const all = await shared.relay.sources.refused(source);
    expect(all).toMatchObject([
      {
        source,
        at: startAt,
        reason,
        bytes: sent.length,
        is_signature_readable: isReadable,
        age_seconds: age,
        fits_source: fits,
      },
    ]);
    expect(all[0]?.headers).toEqual(expect.arrayContaining(['content-type', 'x-planted']));
    expect(JSON.stringify(all)).not.toMatch(/planted-value|anna@|signing-secret/);
  });

  it('is kept with the latest 20 of its source, and not for a source that does not exist', async () => {
    const running = shared;
    for (let second = 0; second < 5; second += 1) {
      for (let nth = 0; nth < 8; nth += 1) await running.deliver(body, { signature: null });
      await running.deliver(body, { source: 'none', signature: null });
      await running.relay.clock.advance(1_000);
    }
    const all = await running.relay.sources.refused('main');
    // Of 8 in a second, 5 are noted.
    expect(all.map(({ at }) => at.slice(17, 19)).join(' ')).toBe(
      ['04', '03', '02', '01'].flatMap((second) => Array(5).fill(second)).join(' '),
    );
    const ofAll = await running.relay.sources.refused();
    expect(ofAll.filter(({ source }) => source === 'main')).toHaveLength(20);
    expect(await running.relay.sources.refused('shop')).toEqual([]);
    await expect(running.relay.sources.refused('none')).rejects.toThrow(
      /^There is no source "none"\. There are: main, shop, .*source-8\.$/,
    );
  });

  it('is not one that was stored, a duplicate, or stopped by the database', async () => {
    const source = sources.pop() ?? '';
    for (const _ of [1, 2]) await shared.deliver(body, { source });
    expect(await shared.relay.sources.refused(source)).toEqual([]);
  });
});

function nested(): string {
  return `{"type":"a","data":${'['.repeat(101)}${']'.repeat(101)}}`;
}
