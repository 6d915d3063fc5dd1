import { describe, expect, it } from '@jest/globals';
import { drawQrCode, drawQrCodeForTerminal, type QrCode } from '@screen-advertising/core/qr-code';
import { black, type Pixels, picture, pixelsOf, readPixels } from '../../support/read-qr-code.ts';

const look = { format: 'png', size: 256, quietZone: 4, errorCorrection: 'medium' } as const;

const codeOf = (text: string, more: Partial<QrCode> = {}): QrCode => ({
  ...look,
  ...more,
  text,
});

/** Draws a QR code, checks it by ISO/IEC 18004, and returns what another library reads from it. */
async function scanned(code: QrCode): Promise<string | undefined> {
  const pixels = pixelsOf(await drawQrCode(code));
  const { module, margin, modules, isExact } = measured(pixels);
  expect({ width: pixels.width, height: pixels.height, isExact }).toEqual({
    width: code.size,
    height: code.size,
    isExact: true,
  });
  expect(modules % 4).toBe(1);
  expect(margin).toBeGreaterThanOrEqual(code.quietZone * module);
  // In the middle, and as large as whole modules get.
  expect(margin).toBe(Math.floor((code.size - modules * module) / 2));
  expect((modules + 2 * code.quietZone) * (module + 1)).toBeGreaterThan(code.size);
  return await readPixels(pixels);
}

/**
 * The margin and the modules, found from the finders at the top, and whether every pixel is as they
 * say: black or white, like its whole module.
 */
function measured({ width, data }: Pixels) {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  const margin = Math.floor(pixels.indexOf(black) / width);
  const isBlack = (x: number, y: number) => pixels[y * width + x] === black;
  let finder = 0;
  while (isBlack(margin + finder, margin)) finder += 1;
  let right = width - 1;
  while (!isBlack(right, margin)) right -= 1;
  const module = finder / 7;
  const modules = (right + 1 - margin) / module;
  const like = picture({
    size: width,
    margin,
    scale: module,
    count: modules,
    isBlack: (x, y) => isBlack(margin + x * module, margin + y * module),
  });
  return {
    module,
    margin,
    modules,
    isExact: Buffer.from(like.data.buffer).equals(Buffer.from(data.buffer)),
  };
}

const link =
  'https://service.example/?utm_source=crm&utm_campaign=spring-2027&utm_content=screens-berlin&utm_medium=partner_api';

describe('a QR code', () => {
  it.each([
    'BVCC-7K2M',
    link,
    'Grüße aus Köln: 25 €, 割引クーポン 🎉',
    'a\nb\tc "d" <e> & \\f',
    'x'.repeat(300),
  ])('of %j is read by another library', async (text) => {
    expect(await scanned(codeOf(text))).toBe(text);
  });

  it.each<Partial<QrCode>>([
    { size: 128 },
    { size: 129, errorCorrection: 'low' },
    { size: 200, quietZone: 10 },
    { size: 333, quietZone: 5, errorCorrection: 'quartile' },
    { size: 1024, errorCorrection: 'high' },
  ])('has exactly the look %j', async (drawn) => {
    for (const format of ['png', 'svg'] as const) {
      expect(await scanned(codeOf('BVCC-7K2M', { ...drawn, format }))).toBe('BVCC-7K2M');
    }
  });

  it('has larger squares with less error correction', async () => {
    const width = async (errorCorrection: QrCode['errorCorrection']) =>
      (await drawQrCodeForTerminal(codeOf(link, { errorCorrection }))).indexOf('\n');
    const [low, medium, quartile, high] = [
      await width('low'),
      await width('medium'),
      await width('quartile'),
      await width('high'),
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
    [codeOf(link, { size: 128, errorCorrection: 'high' }), 'qr_code_size must be at least 130'],
    [codeOf('A', { size: 128, quietZone: 40 }), 'qr_code_size must be at least 202'],
  ])('%#', async (code, message) => {
    await expect(drawQrCode(code)).rejects.toThrow(message);
  });
});

it('in a terminal is read by another library', async () => {
  const drawn = await drawQrCodeForTerminal(codeOf('BVCC-7K2M'));
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
