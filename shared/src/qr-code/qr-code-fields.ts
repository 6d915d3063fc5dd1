import * as z from 'zod/mini';
import { choice, integer, optional, text } from '../catalogue/field-types.ts';
import type { CatalogueEntry, Operation } from '../catalogue/operation.ts';

/** Stands for the code of the coupon. */
export const placeholder = '{code}';

const format = choice(
  { png: 'PNG', svg: 'SVG' },
  {
    title: 'QR Code',
    description: 'Adds a QR code as a file: PNG for screens and email, SVG to scale it later.',
  },
);
const content = text({
  title: 'QR Code Text',
  description:
    'What the QR code contains, with {code} in place of the coupon code, such as https://shop.example/redeem?code={code}. Default: the code.',
  examples: ['https://shop.example/redeem?code={code}'],
}).check(z.refine((value) => value.includes(placeholder), `must contain ${placeholder}`));
const size = integer(128, 4096, {
  title: 'QR Code Size',
  description: 'Width and height of the QR code in pixels, 128 to 4096. Default: 1024.',
  examples: [1024],
});
// ISO/IEC 18004 asks for four modules.
const quietZone = integer(4, 40, {
  title: 'QR Code Quiet Zone',
  description:
    'Width of the white border, counted in squares of the QR code, 4 to 40. Default: 4, as the standard requires.',
  examples: [4],
});
const errorCorrection = choice(
  { medium: 'Medium', low: 'Low', quartile: 'Quartile', high: 'High' },
  {
    title: 'QR Code Error Correction',
    description:
      'How much of the QR code can be hidden: low 7%, medium 15%, quartile 25%, high 30%. More makes its squares smaller. Default: medium.',
  },
);

const look = {
  qr_code_size: optional(size, 'is harmless'),
  qr_code_quiet_zone: optional(quietZone, 'is harmless'),
  qr_code_error_correction: optional(errorCorrection, 'is harmless'),
};
const qr_code = optional(format, 'is harmless');

/** By what the QR code contains. A link is its own text. */
const inputs = {
  url: z.strictObject({ qr_code, ...look }),
  code: z.strictObject({ qr_code, qr_code_text: optional(content, 'is harmless'), ...look }),
};

type QrCodeForm = CatalogueEntry<string, z.ZodMiniType<z.output<typeof inputs.code>>>;

/** The fields for the QR code of an operation's record, as a form. Undefined if it gets none. */
export function qrCodeForm(
  entry: CatalogueEntry & Pick<Operation, 'scannedField'>,
): QrCodeForm | undefined {
  return entry.scannedField && { ...entry, input: inputs[entry.scannedField] };
}

type Fields = Readonly<Record<string, unknown>>;

/** Separates the fields for the QR code from those of the operation. */
export function separateQrCode(
  entry: CatalogueEntry,
  given: Fields,
): { qrCode: Fields; input: Fields } {
  const entries = Object.entries(given);
  const names = qrCodeForm(entry) ? Object.keys(inputs.code.shape) : [];
  return {
    qrCode: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    input: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  };
}
