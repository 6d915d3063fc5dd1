import type { Bitmap2D } from 'lean-qr';
import { InputError } from '../errors/error-classes.ts';

/** A QR code to draw, as plain JSON. */
export interface QrCode {
  readonly text: string;
  readonly format: 'png' | 'svg';
  /** Width and height in pixels. */
  readonly size: number;
  /** In modules: the squares that a QR code consists of. */
  readonly quietZone: number;
  readonly errorCorrection: 'low' | 'medium' | 'quartile' | 'high';
}

/** A drawn QR code. */
export interface QrCodeFile {
  readonly name: string;
  readonly mimeType: string;
  /** Before TypeScript 5.7, `Uint8Array` takes no type. */
  readonly bytes: ReturnType<typeof Uint8Array.of>;
}

/** Below it, a blurred edge of one pixel is most of a module. */
const leastScale = 2;

/**
 * Rejects with InputError in the name of `title` if the modules do not fit into the size, or the text
 * into a QR code.
 */
export async function checkQrCodeFits(code: QrCode, title: string): Promise<void> {
  await layOut(code, title);
}

/**
 * The modules, and how many pixels each is wide: a whole number. Not exported: the declarations of
 * lean-qr name parts of the DOM, which a server's project does not have.
 */
async function layOut(code: QrCode, title = 'QR Code') {
  const { size, quietZone } = code;
  const modules = await modulesOf(code, title);
  const width = modules.size + 2 * quietZone;
  const scale = Math.floor(size / width);
  if (scale >= leastScale) return { modules, scale };
  const message = `must be at least ${leastScale * width} for this text and quiet zone`;
  throw new InputError(title, [{ field: 'qr_code_size', message }]);
}

async function modulesOf({ text, errorCorrection }: QrCode, title: string): Promise<Bitmap2D> {
  // It makes a TextEncoder when it loads, which not every runtime has.
  const { correction, generate, mode } = await import('lean-qr');
  const { L: low, M: medium, Q: quartile, H: high } = correction;
  const levels = { low, medium, quartile, high };
  // Text beyond ASCII is UTF-8, and marked so: few scanners know other encodings.
  const modes = [mode.numeric, mode.alphaNumeric, mode.ascii, mode.utf8];
  try {
    return generate(text, { modes, minCorrectionLevel: levels[errorCorrection] });
  } catch {
    const message = `has ${text.length} characters, too many for a QR code: shorten it, or lower the error correction`;
    throw new InputError(title, [{ field: 'qr_code_text', message }]);
  }
}

/** Draws a QR code black on white, in the middle of a picture of exactly its size. */
export async function drawQrCode(code: QrCode): Promise<QrCodeFile> {
  const { format, size } = code;
  const { modules, scale } = await layOut(code);
  const name = `qr-code.${format}`;
  const margin = Math.floor((size - modules.size * scale) / 2);
  if (format === 'svg') {
    const { toSvgPath } = await import('lean-qr/extras/svg');
    const path = `<path transform="translate(${margin} ${margin}) scale(${scale})" d="${toSvgPath(modules)}"/>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/>${path}</svg>`;
    return { name, mimeType: 'image/svg+xml', bytes: new TextEncoder().encode(svg) };
  }
  const at = (pixel: number) => Math.floor((pixel - margin) / scale);
  const row = (y: number) => pngRow(size, (x) => modules.get(at(x), y));
  const rows = Array.from({ length: modules.size }, (_, y) => row(y));
  const white = row(-1);
  const picture = Array.from({ length: size }, (_, y) => rows[at(y)] ?? white);
  return { name, mimeType: 'image/png', bytes: await encodePng(picture) };
}

/** By two modules, of which the upper counts two and the lower one if they are black. */
const blocks = '█▀▄ ';

/** The QR code for a terminal with light text on dark, two rows of modules in a line. */
export async function drawQrCodeForTerminal(code: QrCode): Promise<string> {
  const modules = await modulesOf(code, 'QR Code');
  const end = modules.size + code.quietZone;
  let text = '';
  for (let y = -code.quietZone; y < end; y += 2) {
    for (let x = -code.quietZone; x < end; x += 1) {
      text += blocks[2 * Number(modules.get(x, y)) + Number(modules.get(x, y + 1))];
    }
    text += '\n';
  }
  return text;
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A row of a picture, one bit a pixel. The first byte is the filter: none. */
function pngRow(size: number, isBlack: (x: number) => boolean): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(1 + Math.ceil(size / 8)).fill(255, 1);
  for (let x = 0; x < size; x += 1) {
    const at = 1 + (x >> 3);
    if (isBlack(x)) row[at] = (row[at] ?? 0) & ~(128 >> (x & 7));
  }
  return row;
}

/** A square picture as a PNG file with one bit a pixel, which keeps it small at any size. */
async function encodePng(rows: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> {
  // Every runtime has it, and n8n forbids its nodes node:zlib.
  const pixels = await new Blob(rows).arrayBuffer();
  const deflated = new Blob([pixels]).stream().pipeThrough(new CompressionStream('deflate'));
  const data = new Uint8Array(await new Response(deflated).arrayBuffer());
  const size = bigEndian(rows.length);
  const header = chunk('IHDR', [...size, ...size, 1, 0, 0, 0, 0]);
  return Uint8Array.from([...signature, ...header, ...chunk('IDAT', data), ...chunk('IEND', [])]);
}

function chunk(type: string, data: Iterable<number>): number[] {
  const body = [...new TextEncoder().encode(type), ...data];
  return [...bigEndian(body.length - type.length), ...body, ...bigEndian(crc32(body))];
}

function bigEndian(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
}

function crc32(bytes: readonly number[]): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}
