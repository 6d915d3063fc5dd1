import * as z from 'zod/mini';
import { choiceField, integerField, optionalField, textField } from '../catalogue/field-types.ts';
import type { CatalogueEntry, Operation } from '../catalogue/operation.ts';
import { CallPromise } from '../client/call-promise.ts';
import { parseInput } from '../client/request.ts';
import type { CallOptions } from '../client/run.ts';
import type { Client } from '../create-client.ts';
import { checkQrCodeFits, type QrCode } from './draw-qr-code.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Stands for the code of the coupon. */
const placeholder = '{code}';

const format = choiceField(
  { png: 'PNG', svg: 'SVG' },
  {
    title: 'QR Code',
    description: 'Adds a QR code as a file: PNG for screens and email, SVG to scale it later.',
  },
);
const content = textField({
  title: 'QR Code Text',
  description:
    'What the QR code contains, with {code} in place of the coupon code, such as https://shop.example/redeem?code={code}. Default: the code.',
  examples: ['https://shop.example/redeem?code={code}'],
}).check(z.refine((value) => value.includes(placeholder), `must contain ${placeholder}`));
const size = integerField(128, 4096, {
  title: 'QR Code Size',
  description: 'Width and height of the QR code in pixels, 128 to 4096. Default: 1024.',
  examples: [1024],
});
// ISO/IEC 18004 asks for four modules.
const quietZone = integerField(4, 40, {
  title: 'QR Code Quiet Zone',
  description:
    'Width of the white border, counted in squares of the QR code, 4 to 40. Default: 4, as the standard requires.',
  examples: [4],
});
const errorCorrection = choiceField(
  { medium: 'Medium', low: 'Low', quartile: 'Quartile', high: 'High' },
  {
    title: 'QR Code Error Correction',
    description:
      'How much of the QR code can be hidden: low 7%, medium 15%, quartile 25%, high 30%. More makes its squares smaller. Default: medium.',
  },
);

const look = {
  qr_code_size: optionalField(size, 'is harmless'),
  qr_code_quiet_zone: optionalField(quietZone, 'is harmless'),
  qr_code_error_correction: optionalField(errorCorrection, 'is harmless'),
};
const qr_code = optionalField(format, 'is harmless');

/** By what the QR code contains. A link is its own text. */
const inputs = {
  url: z.strictObject({ qr_code, ...look }),
  code: z.strictObject({ qr_code, qr_code_text: optionalField(content, 'is harmless'), ...look }),
};

type QrCodeForm = CatalogueEntry<string, z.ZodMiniType<z.output<typeof inputs.code>>>;

/** The fields for the QR code of an operation's record, as a form. Undefined if it gets none. */
export function qrCodeForm(
  entry: CatalogueEntry & Pick<Operation, 'scannedField'>,
): QrCodeForm | undefined {
  return entry.scannedField && { ...entry, input: inputs[entry.scannedField] };
}

/** Separates the fields for the QR code from those of the operation. */
export function separateQrCodeFields(
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

/**
 * A client whose `call` also passes the QR code of its record to `use`, and the code or link itself.
 * It adds to the record what `use` returns, if anything. Rejects with InputError before anything is sent if the fields are
 * wrong. What fails afterwards becomes the record's `qr_code_warning`, so that a record that was
 * created is not lost. Without a field it is the client itself.
 */
export function withQrCode(
  client: Client,
  fields: Fields,
  use: (code: QrCode, value: string) => unknown,
): Client {
  if (Object.values(fields).every((value) => value === undefined)) return client;
  const call = (operation: Operation, input: Fields, options?: CallOptions) =>
    new CallPromise(async () => {
      const codeOf = codeMaker(operation, fields);
      const isKnown = operation.scannedField === 'code' && typeof input.code === 'string';
      const own = isKnown ? { code: input.code } : {};
      await codeOf({ ...operation.sample, ...own });
      const send = client.call(operation, input, options) as CallPromise<unknown>;
      const response = await send.withResponse();
      const data = response.data as Fields;
      try {
        const record: Fields = { ...own, ...data };
        const value = String(record[operation.scannedField ?? '']);
        const added = (await use(await codeOf(record), value)) as object | undefined;
        return { ...response, data: { ...data, ...added } };
      } catch (error) {
        const reason = (error as Error).message.replace(`${operation.title} was not sent: `, '');
        const qr_code_warning = `${operation.title} succeeded, but without a QR code: ${reason}`;
        return { ...response, data: { ...data, qr_code_warning } };
      }
    });
  return { ...client, call: call as Client['call'] };
}

/** Makes the QR code of a record. Throws InputError for fields that no record can fit. */
function codeMaker(operation: Operation, fields: Fields): (record: Fields) => Promise<QrCode> {
  const { title, scannedField } = operation;
  const form = qrCodeForm(operation);
  if (!form || !scannedField) throw new Error(`The records of ${title} get no QR code.`);
  const given = parseInput(form, fields);
  const { qr_code_text: text = placeholder } = given;
  return async (record) => {
    const value = record[scannedField];
    if (typeof value !== 'string') throw new Error(`The response has no ${scannedField}.`);
    // In a web address, a code must not add characters that have a meaning there.
    const written = /^https?:/i.test(text) ? encodeURIComponent(value) : value;
    const code: QrCode = {
      text: text.replaceAll(placeholder, () => written),
      format: given.qr_code ?? 'png',
      size: given.qr_code_size ?? 1024,
      quietZone: given.qr_code_quiet_zone ?? 4,
      errorCorrection: given.qr_code_error_correction ?? 'medium',
    };
    await checkQrCodeFits(code, title);
    return code;
  };
}
