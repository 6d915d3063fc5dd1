const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A row of a picture, one bit a pixel. The first byte is the filter: none. */
export function pngRow(size: number, isBlack: (x: number) => boolean): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(1 + Math.ceil(size / 8)).fill(255, 1);
  for (let x = 0; x < size; x += 1) {
    const at = 1 + (x >> 3);
    if (isBlack(x)) row[at] = (row[at] ?? 0) & ~(128 >> (x & 7));
  }
  return row;
}

/** A square picture as a PNG file with one bit a pixel, which keeps it small at any size. */
export async function encodePng(rows: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> {
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
