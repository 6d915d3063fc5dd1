import { type Client, InputError } from '@screen-advertising/core';
import { drawQrCode, qrCodeBlocks, withQrCode } from '@screen-advertising/core/qr-code';
import type { Output, QrCodeFields } from './program.ts';

/**
 * A client that writes the QR code of a record to a file or, without disturbing the record, to the
 * error output. Throws InputError for a file of another kind.
 */
export function writingQrCode(
  client: Client,
  title: string,
  { qr, ...fields }: QrCodeFields,
  { writeFile, writeError }: Output,
): Client {
  const [, ending] = /\.(png|svg)$/i.exec(`${qr}`) ?? [];
  if (typeof qr === 'string' && !ending) {
    throw new InputError(title, [
      { field: '--qr', message: 'takes a file ending in .png or .svg' },
    ]);
  }
  const qr_code = qr && (ending?.toLowerCase() ?? 'png');
  return withQrCode(client, { ...fields, qr_code }, async (code) => {
    if (typeof qr === 'string') await writeFile(qr, (await drawQrCode(code)).bytes);
    else writeError(await qrCodeBlocks(code));
  });
}
