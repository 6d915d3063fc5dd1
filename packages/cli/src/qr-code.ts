import { type Client, InputError } from '@screen-advertising/core';
import { drawQrCode, qrCodeBlocks, withQrCode } from '@screen-advertising/core/qr-code';
import type { Output, QrCodeChoice } from './program.ts';

/**
 * A client that writes the QR code of a record to a file or, without disturbing the record, to the
 * error output. Throws InputError for a file of another kind.
 */
export function writingQrCode(
  client: Client,
  title: string,
  { place, fields }: QrCodeChoice,
  { writeFile, writeError }: Output,
): Client {
  const [, ending] = /\.(png|svg)$/i.exec(`${place}`) ?? [];
  if (typeof place === 'string' && !ending) {
    throw new InputError(title, [
      { field: '--qr', message: 'takes a file ending in .png or .svg' },
    ]);
  }
  const qr_code = place && (ending?.toLowerCase() ?? 'png');
  return withQrCode(client, { ...fields, qr_code }, async (code) => {
    if (typeof place === 'string') await writeFile(place, (await drawQrCode(code)).bytes);
    else writeError(qrCodeBlocks(code));
  });
}
