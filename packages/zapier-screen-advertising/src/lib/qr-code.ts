import type { Client } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';
import { drawQrCode, type QrCode, qrCodeForm, withQrCode } from '@screen-advertising/core/qr-code';
import type { Bundle, PlainOutputField, ZObject } from 'zapier-platform-core';
import { inputFields } from './input-fields.ts';
import { readInput } from './read-input.ts';

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
export function qrCodeOf(operation: Task) {
  const form = qrCodeForm(operation);
  return {
    inputFields: form ? inputFields(form) : [],
    outputFields: form ? outputFields : [],
    /** A client that adds the QR code to the record as a file. */
    draw: (client: Client, z: ZObject, { inputData }: Bundle): Client =>
      withQrCode(client, form ? { ...(readInput(form, inputData) as object) } : {}, (code) => ({
        qr_code: z.dehydrateFile(downloadQrCode, { ...code }),
      })),
  };
}
