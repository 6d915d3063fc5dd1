import type { Client } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { isEmpty } from '@screen-advertising/core/forms';
import { parseInput } from '@screen-advertising/core/platform';
import { drawQrCode, type QrCode, qrCodeForm, withQrCode } from '@screen-advertising/core/qr-code';
import type { Bundle, PlainOutputField, ZObject } from 'zapier-platform-core';
import { formOf } from './form.ts';

/** Draws a QR code when a later step uses its file. */
export async function downloadQrCode(z: ZObject, { inputData }: Bundle): Promise<string> {
  const { name, mimeType, bytes } = await drawQrCode(inputData as unknown as QrCode);
  return z.stashFile(Buffer.from(bytes), bytes.length, name, mimeType);
}

const outputFields: PlainOutputField[] = [
  { key: 'qr_code', label: 'QR Code', type: 'file' },
  { key: 'qr_code_warning', label: 'QR Code Warning', type: 'string' },
];

/** What a step offers for the QR code of its record. Nothing for a record that gets none. */
export function qrCodeOf(operation: CatalogueEntry) {
  const entry = qrCodeForm(operation);
  const form = entry && formOf(entry);
  const [format, ...details] = form?.fields ?? [];
  return {
    /** All fields, for errors. */
    fields: format ? [format, ...details] : [],
    /** The others appear in the form once a format is chosen. */
    inputFields: format
      ? [
          { ...format, altersDynamicFields: true },
          (_z: ZObject, { inputData }: Bundle) => (isEmpty(inputData[format.key]) ? [] : details),
        ]
      : [],
    outputFields: form ? outputFields : [],
    read: (bundle: Bundle): object => {
      const input = form?.read(bundle) ?? {};
      if (entry) parseInput(entry, input);
      return input;
    },
    /** A client that adds the QR code to the record as a file. */
    draw: (client: Client, z: ZObject, qrCode: object): Client =>
      withQrCode(client, { ...qrCode }, (code) => ({
        qr_code: z.dehydrateFile(downloadQrCode, { ...code }),
      })),
  };
}
