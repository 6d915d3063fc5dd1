import type { Operation } from '../catalogue/operation.ts';
import { CallPromise } from '../client/call-promise.ts';
import { parseInput } from '../client/request.ts';
import type { CallOptions } from '../client/run.ts';
import type { Client } from '../client.ts';
import { checkFit, type QrCode } from './draw-qr-code.ts';
import { placeholder, qrCodeForm } from './qr-code-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

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
    await checkFit(code, title);
    return code;
  };
}
