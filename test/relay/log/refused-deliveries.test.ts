import { beforeAll, describe, expect, it } from '@jest/globals';
import { ownSource, type Running, send, sourceSecret, start } from '../support/running-relay.ts';

const secretOfShop = 'signing-secret-of-the-shop';
const data = { email: 'anna@example.com' };
const body = JSON.stringify({ id: '1', type: 'campaign.paid', data });
const nested = `{"type":"a","data":${'['.repeat(101)}${']'.repeat(101)}}`;

let shared: Running;

beforeAll(async () => {
  shared = await start();
  await shared.relay.sources.add('shop', secretOfShop);
});

interface Sent {
  /** Default: a good one. */
  readonly text?: string;
  readonly secret?: string;
  readonly signature?: string | null;
  /** Seconds since it was signed. */
  readonly age?: number;
}

const unsigned = { reason: 'missing_signature', is_signature_readable: false, age_seconds: null };
const mismatch = { reason: 'signature_mismatch' };
const malformed = { reason: 'malformed_body' };
const none = 'has no x-service-signature header';
const nests = 'has more than 100 nested arrays and objects';

/** The status and text of the response, and what the relay notes. */
const rows: [name: string, sent: Sent, status: number, detail: string, noted: object][] = [
  ['without a signature', { signature: null }, 401, none, unsigned],
  ['with an empty signature', { signature: '' }, 401, none, unsigned],
  [
    'with half a signature',
    { signature: 't=1803891601,v1=' },
    401,
    'it has no v1 of 40, 64, 96 or 128 hex digits',
    { ...unsigned, reason: 'malformed_signature', age_seconds: expect.any(Number) },
  ],
  [
    'of long ago',
    { age: 901 },
    401,
    '901 s in the past',
    { reason: 'timestamp_out_of_tolerance', age_seconds: 901 },
  ],
  [
    'of another secret',
    { secret: 'unknown', age: -5 },
    401,
    'matches none of the signing secrets',
    { ...mismatch, age_seconds: -5 },
  ],
  [
    "of another source's secret",
    { secret: secretOfShop },
    401,
    'matches none of the signing secrets',
    { ...mismatch, fits_source: 'shop' },
  ],
  ['that is not JSON', { text: '{' }, 400, 'not JSON', malformed],
  ['that is empty', { text: '' }, 400, 'it is empty', malformed],
  ['that names no event', { text: '{}' }, 400, 'names no event', malformed],
  ['of the relay', { text: '{"type":"relay.subscription_off"}' }, 400, 'only the relay', malformed],
  ['with a bad name', { text: '{"type":"a\\u0000"}' }, 400, 'contains U+0000', malformed],
  ['that is nested', { text: nested }, 400, nests, malformed],
  [
    'that is too large',
    { text: 'x'.repeat(2 ** 20 + 1) },
    413,
    'The body is longer than 1048576 bytes.',
    { reason: 'too_large' },
  ],
];

describe('a refused delivery', () => {
  it.each(rows)(
    '%s says why, is noted, and is not stored',
    async (_name, sent, status, detail, noted) => {
      const { relay, source, deliver } = await ownSource(shared);
      const { text = body, age = 0, ...options } = sent;
      const signedAt = Math.floor(relay.clock.now() / 1000) - age;
      const response = await deliver(text, { ...options, signedAt });
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(response.body.detail).toContain(detail);
      const refused = await relay.sources.refused(source);
      const expected = { is_signature_readable: true, age_seconds: 0, fits_source: null, ...noted };
      expect(refused).toMatchObject([{ source, bytes: text.length, ...expected }]);
      for (const shown of [response.body, refused]) {
        expect(JSON.stringify(shown)).not.toMatch(/anna@|signing-secret/);
      }
      expect((await relay.operate('events.list', { source })).data).toEqual([]);
    },
  );

  it('is noted with the names of its headers, without their values', async () => {
    const { relay, source, url } = await ownSource(shared);
    await send(`${url}/in/${source}`, 'POST', { 'x-planted': 'planted-value' }, body);
    const refused = await relay.sources.refused(source);
    expect(refused[0]?.headers).toEqual(expect.arrayContaining(['content-type', 'x-planted']));
    expect(JSON.stringify(refused)).not.toContain('planted-value');
  });

  it('is kept with the latest 20 of its source, and not for a source that does not exist', async () => {
    const { relay, deliver } = shared;
    const startedAt = relay.clock.now();
    for (let second = 0; second < 5; second += 1) {
      for (let nth = 0; nth < 8; nth += 1) await deliver(body, { signature: null });
      const unknown = await deliver(body, { source: 'none', signature: null });
      expect([unknown.status, unknown.body.detail]).toEqual([
        404,
        'There is no source with this name.',
      ]);
      await relay.clock.advance(1_000);
    }
    // Of 8 in a second, 5 are noted.
    const seconds = (await relay.sources.refused('main')).map(
      ({ at }) => (at.getTime() - startedAt) / 1_000,
    );
    expect(seconds).toEqual([4, 3, 2, 1].flatMap((second) => Array(5).fill(second)));
    const ofAll = await relay.sources.refused();
    expect(ofAll.filter(({ source }) => source === 'main')).toHaveLength(20);
    expect(await relay.sources.refused('shop')).toEqual([]);
    await expect(relay.sources.refused('none')).rejects.toThrow(
      /^There is no source "none"\. There are: main, shop/,
    );
  });

  it('is not one that was stored, or a duplicate', async () => {
    const { relay, source, deliver } = await ownSource(shared);
    for (const _ of [1, 2]) await deliver(body, { secret: sourceSecret });
    expect(await relay.sources.refused(source)).toEqual([]);
  });
});
