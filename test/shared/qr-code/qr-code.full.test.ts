import { fc, it as property } from '@fast-check/jest';
import { describe, expect, it } from '@jest/globals';
import type { QrCode } from '@screen-advertising/core/qr-code';
import { seed } from '../../support/tier.ts';
import { codeOf, scanned } from './scannable.ts';

const name = fc.string({ minLength: 1, maxLength: 24, unit: 'grapheme' });
const links = fc
  .record({ utm_source: name, utm_campaign: name, utm_content: name }, { requiredKeys: [] })
  .map((fields) => {
    const url = new URL('https://service.example/landing');
    for (const [key, value] of Object.entries(fields)) url.searchParams.set(key, value);
    url.searchParams.set('utm_medium', 'partner_api');
    return url.href;
  });
const codes = fc.stringMatching(/^[A-Z0-9]{2,8}(-[A-Z0-9]{2,8}){0,2}$/);
const coupons = fc.oneof(
  codes,
  codes.map((code) => `https://shop.example/redeem?code=${code}`),
  fc.tuple(name, codes).map(([before, code]) => `${before}: ${code}`),
);
const looks: fc.Arbitrary<Partial<QrCode>> = fc.record({
  format: fc.constantFrom('png', 'svg'),
  quietZone: fc.integer({ min: 4, max: 10 }),
  errorCorrection: fc.constantFrom('low', 'medium', 'quartile', 'high'),
});

/** The picture, as large as wanted or as large as it must be. */
async function scannedAt(code: QrCode): Promise<string | undefined> {
  try {
    return await scanned(code);
  } catch (error) {
    const [, least] = /qr_code_size must be at least (\d+)/.exec(String(error)) ?? [];
    if (!(Number(least) > code.size)) throw error;
    return scanned({ ...code, size: Number(least) });
  }
}

const sizes = [128, 256, 512, 1024, 2048, 4096];
const levels = ['low', 'medium', 'quartile', 'high'] as const;
const everyLook = sizes.flatMap((size) =>
  levels.flatMap((errorCorrection) =>
    (['png', 'svg'] as const).map((format) => ({ size, errorCorrection, format })),
  ),
);

describe('another library reads the text of', () => {
  it.each(everyLook)('a code of $size pixels, $errorCorrection, as $format', async (look) => {
    const text = 'https://shop.example/redeem?code=BVCC-7K2M';
    expect(await scanned(codeOf(text, look))).toBe(text);
  });

  property.prop([links, looks, fc.integer({ min: 128, max: 640 })], { seed, numRuns: 1500 })(
    'every landing link, in every look',
    async (text, look, size) => {
      expect(await scannedAt(codeOf(text, { ...look, size }))).toBe(text);
    },
  );

  property.prop([coupons, looks, fc.integer({ min: 128, max: 640 })], { seed, numRuns: 1500 })(
    'every coupon, in every look',
    async (text, look, size) => {
      expect(await scannedAt(codeOf(text, { ...look, size }))).toBe(text);
    },
  );

  property.prop([fc.oneof(links, coupons), looks, fc.integer({ min: 640, max: 4096 })], {
    seed,
    numRuns: 40,
    examples: [['BVCC-7K2M', { format: 'png' }, 4096] as never],
  })('codes of every size up to 4096', async (text, look, size) => {
    expect(await scannedAt(codeOf(text, { ...look, size }))).toBe(text);
  });
});
