import { describe, expect, it } from '@jest/globals';
import { drawQrCode, type QrCode, qrCodeBlocks } from '@screen-advertising/core/qr-code';
import { picture, readPixels } from '../../support/read-qr-code.ts';
import { codeOf, scanned } from './scannable.ts';

const link =
  'https://service.example/?utm_source=crm&utm_campaign=spring-2027&utm_content=screens-berlin&utm_medium=partner_api';

describe('a QR code', () => {
  it.each([
    'BVCC-7K2M',
    'https://shop.example/redeem?code=SPRING-25',
    link,
    '0123456789',
    'Grüße aus Köln: 25 €',
    'Скидка 25%',
    '割引クーポン 25%',
    'خصم ٢٥٪',
    '🎉 25% 🎉',
    'a\nb\tc "d" <e> & \\f',
    'x'.repeat(300),
  ])('of %j is read by another library', async (text) => {
    for (const format of ['png', 'svg'] as const) {
      expect(await scanned(codeOf(text, { format }))).toBe(text);
    }
  });

  it.each([128, 129, 200, 333, 1024])('is exactly %i pixels wide and high', async (size) => {
    for (const format of ['png', 'svg'] as const) {
      expect(await scanned(codeOf('BVCC-7K2M', { size, format }))).toBe('BVCC-7K2M');
    }
  });

  it.each(['low', 'medium', 'quartile', 'high'] as const)(
    'with error correction %s and a wide quiet zone is read',
    async (errorCorrection) => {
      const text = await scanned(codeOf(link, { errorCorrection, quietZone: 9 }));
      expect(text).toBe(link);
    },
  );

  it('has larger squares with less error correction', async () => {
    const width = (errorCorrection: QrCode['errorCorrection']) =>
      qrCodeBlocks(codeOf(link, { errorCorrection })).indexOf('\n');
    const [low, medium, quartile, high] = [
      width('low'),
      width('medium'),
      width('quartile'),
      width('high'),
    ];
    expect(low).toBeLessThan(medium);
    expect(medium).toBeLessThan(quartile);
    expect(quartile).toBeLessThan(high);
  });

  it('of 4096 pixels stays a small file', async () => {
    const { bytes } = await drawQrCode(codeOf(link, { size: 4096 }));
    expect(bytes.length).toBeLessThan(40_000);
  });
});

describe('a text or size that gives no QR code is an error', () => {
  it.each([
    [codeOf('x'.repeat(2332)), 'qr_code_text has 2332 characters, too many for a QR code'],
    [codeOf('€'.repeat(1000)), 'qr_code_text has 1000 characters, too many for a QR code'],
    [codeOf(link, { size: 128, errorCorrection: 'high' }), 'qr_code_size must be at least 130'],
    [codeOf('A', { size: 128, quietZone: 40 }), 'qr_code_size must be at least 202'],
  ])('%#', async (code, message) => {
    await expect(drawQrCode(code)).rejects.toThrow(message);
  });
});

it('in a terminal is read by another library', async () => {
  const drawn = qrCodeBlocks(codeOf('BVCC-7K2M'));
  const lines = drawn.trimEnd().split('\n');
  const count = lines[0]?.length ?? 0;
  expect(count).toBe(21 + 8);
  // As a person sees it on a dark background.
  const isBlack = (x: number, y: number) => {
    const block = lines[Math.floor(y / 2)]?.[x] ?? '█';
    return block !== '█' && block !== (y % 2 ? '▄' : '▀');
  };
  const seen = picture({ size: count * 4, margin: 0, scale: 4, count, isBlack });
  expect(await readPixels(seen)).toBe('BVCC-7K2M');
});
