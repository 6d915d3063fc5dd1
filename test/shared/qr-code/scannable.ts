import { expect } from '@jest/globals';
import { drawQrCode, type QrCode } from '@screen-advertising/core/qr-code';
import { black, type Pixels, picture, pixelsOf, readPixels } from '../../support/read-qr-code.ts';

const look = { format: 'png', size: 256, quietZone: 4, errorCorrection: 'medium' } as const;

export const codeOf = (text: string, more: Partial<QrCode> = {}): QrCode => ({
  ...look,
  ...more,
  text,
});

/** Draws a QR code, checks it by ISO/IEC 18004, and returns what another library reads from it. */
export async function scanned(code: QrCode): Promise<string | undefined> {
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
