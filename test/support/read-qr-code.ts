import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { QrCodeFile } from '@screen-advertising/core/qr-code';
import { decode } from 'fast-png';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** A picture, as a camera sees it. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** Square modules, each a square of pixels. */
export interface Modules {
  /** Width and height of the picture in pixels. */
  readonly size: number;
  /** Where the first module starts, in pixels. */
  readonly margin: number;
  readonly scale: number;
  readonly count: number;
  readonly isBlack: (x: number, y: number) => boolean;
}

const { resolve } = createRequire(import.meta.url);
// It would download this file otherwise.
prepareZXingModule({
  overrides: { wasmBinary: readFileSync(resolve('zxing-wasm/reader/zxing_reader.wasm')).buffer },
});

/** The text of a QR code that another library reads in a picture. */
export async function readPixels({ data, width, height }: Pixels): Promise<string | undefined> {
  return await read({ data, width, height, colorSpace: 'srgb' } as ImageData);
}

/** The text of a QR code in a PNG or SVG file, read with another library. */
export async function readQrCode(
  file: Pick<QrCodeFile, 'mimeType'> & { bytes: Uint8Array },
): Promise<string> {
  return found(await readPixels(pixelsOf(file)));
}

/** The text of a QR code that a browser shows, in its screenshot. */
export async function readScreenshot(png: Uint8Array): Promise<string> {
  return found(await read(png));
}

async function read(input: Uint8Array | ImageData): Promise<string | undefined> {
  const [code] = await readBarcodes(input, {
    formats: ['QRCode'],
    textMode: 'Plain',
    tryInvert: false,
    tryRotate: false,
    maxNumberOfSymbols: 1,
  });
  return code?.text;
}

function found(text: string | undefined): string {
  if (text === undefined) throw new Error('No QR code was found.');
  return text;
}

export function pixelsOf({ mimeType, bytes }: { mimeType: string; bytes: Uint8Array }): Pixels {
  if (mimeType === 'image/svg+xml') return picture(modulesOf(new TextDecoder().decode(bytes)));
  const { width: size, height, depth, channels, data } = decode(bytes);
  if (size !== height || depth !== 1 || channels !== 1) throw new Error('Not black and white.');
  const inRow = Math.ceil(size / 8);
  const isBlack = (x: number, y: number) =>
    ((data[y * inRow + (x >> 3)] ?? 0) & (128 >> (x & 7))) === 0;
  return picture({ size, margin: 0, scale: 1, count: size, isBlack });
}

/** Fills the outlines of an SVG picture of squares, by winding number as the default rule says. */
function modulesOf(svg: string): Modules {
  const [, size = 0, margin = 0, scale = 0] = (
    /viewBox="0 0 (\d+) \1".*translate\((\d+) \2\) scale\((\d+)\)/.exec(svg) ?? []
  ).map(Number);
  const outlines = (/scale\(\d+\)" d="([^"]+)"/.exec(svg)?.[1]?.split('Z') ?? [])
    .filter(Boolean)
    .map((outline) => outline.split(/[ML]/).filter(Boolean))
    .map((points) => points.map((point) => point.split(' ').map(Number)));
  const count = Math.max(0, ...outlines.flat(2));
  const turns = Array.from({ length: count + 1 }, () => new Int8Array(count + 1));
  for (const outline of outlines) {
    for (const [nth, [x = 0, y = 0]] of outline.entries()) {
      const [nextX = 0, nextY = 0] = outline[(nth + 1) % outline.length] ?? [];
      if (x !== nextX) continue;
      for (const row of turns.slice(Math.min(y, nextY), Math.max(y, nextY))) {
        row[x] = (row[x] ?? 0) + Math.sign(nextY - y);
      }
    }
  }
  for (const row of turns) {
    for (let x = 1; x <= count; x += 1) row[x] = (row[x] ?? 0) + (row[x - 1] ?? 0);
  }
  return { size, margin, scale, count, isBlack: (x, y) => turns[y]?.[x] !== 0 };
}

/** Black and opaque, as the four bytes of a pixel. */
export const black = new Uint32Array(Uint8Array.of(0, 0, 0, 255).buffer)[0] ?? 0;

/** Black modules on white. */
export function picture({ size, margin, scale, count, isBlack }: Modules): Pixels {
  const pixels = new Uint32Array(size * size).fill(0xffffffff);
  for (let y = 0; y < count; y += 1) {
    const start = (margin + y * scale) * size;
    for (let x = 0; x < count; x += 1) {
      const from = x;
      while (x < count && isBlack(x, y)) x += 1;
      if (x > from) pixels.fill(black, start + margin + from * scale, start + margin + x * scale);
    }
    for (let more = 1; more < scale; more += 1) {
      pixels.copyWithin(start + more * size, start, start + size);
    }
  }
  return { width: size, height: size, data: new Uint8ClampedArray(pixels.buffer) };
}
