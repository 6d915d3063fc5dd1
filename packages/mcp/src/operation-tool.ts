import {
  type Client,
  InputError,
  type Operation,
  operations,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import {
  type ReadField,
  readArguments,
  readJsonObject,
  userLookupFacts,
} from '@screen-advertising/core/forms';
import { shownOperations } from '@screen-advertising/core/lead-coupons';
import {
  drawQrCode,
  qrCodeForm,
  separateQrCodeFields,
  withQrCode,
} from '@screen-advertising/core/qr-code';
import {
  callOptionsOf,
  errorInToolWords,
  inputSchema,
  type JsonSchema,
  outputSchema,
  type Tool,
  type ToolArguments,
  type ToolCall,
  toolName,
  withCatalogueNames,
} from './tool.ts';

/** A tool for each operation that returns one record. */
export function operationTools(client: Client): Tool[] {
  return shownOperations
    .filter(({ responseShape }) => responseShape === 'record')
    .map((operation) => {
      const run = runOf(client, operation);
      const { title, description } = operation;
      return {
        name: toolName(title),
        title,
        description,
        inputSchema: inputOf(operation),
        outputSchema: outputSchema(operation, { ...answers[operation.name] }),
        annotations: annotationsOf(operation),
        async run(input, call) {
          try {
            return await run(withCatalogueNames(input, operation), call);
          } catch (error) {
            throw errorInToolWords(error, title);
          }
        },
      };
    });
}

const note = { type: 'string' };

/** Members that tools add to a record of the service. */
const answers: Readonly<Record<string, JsonSchema>> = {
  'coupon.create': { qr_code_warning: { type: 'string' } },
  'coupon.revoke': { revoked: { type: 'boolean' }, note },
  'landingLink.create': { note, qr_code_warning: { type: 'string' } },
  'user.lookup': { referred_by_you: { type: 'boolean' } },
};

type Run = (input: ToolArguments, call: ToolCall) => Promise<Record<string, unknown>>;

function runOf(client: Client, operation: Operation): Run {
  const { name } = operation;
  if (name === 'landingLink.create') return createLink(client, operation);
  if (name === 'coupon.revoke') return revoke(client);
  return async (given, call) => {
    const drawn = name === 'coupon.create' && withPicture(client, operation, given, call);
    const { drawing, input } = drawn || { drawing: client, input: given };
    const read = readArguments(operation, input);
    const record: unknown = await drawing.call(operation, read, callOptionsOf(call));
    const facts = name === 'user.lookup' && userLookupFacts(record as object);
    return { ...(record as ToolArguments), ...facts };
  };
}

function isError(error: unknown, code: ScreenAdvertisingError['code']): boolean {
  return ScreenAdvertisingError.isInstance(error) && error.code === code;
}

/** The second time, the state is what the caller wants to know. */
function revoke(client: Client): Run {
  const { 'coupon.revoke': operation, 'coupon.get': get } = operations;
  return async (given, call) => {
    const input = readArguments(operation, given) as { code: string };
    try {
      return { ...(await client.call(operation, input, callOptionsOf(call))), revoked: true };
    } catch (error) {
      if (!isError(error, 'invalid_request')) throw error;
      const coupon = await client.call(get, input, callOptionsOf(call)).catch(() => undefined);
      const { status } = { ...coupon };
      // While its state is unknown, or one in which it can be revoked, the refusal says more.
      if (typeof status !== 'string' || status.toLowerCase() === 'active') throw error;
      const why = `Nothing was changed: the coupon was no longer active. Its status is ${JSON.stringify(status)}.`;
      return { ...coupon, revoked: false, note: why };
    }
  };
}

const utm = ['utm_source', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'];
const utmFields = utm.map((name): ReadField => ({ name, title: name, type: 'text' }));

/** The service ignores fields that it does not know, so names of no effect are refused here. */
function createLink(client: Client, operation: Operation): Run {
  return async (entered, call) => {
    const { drawing, input } = withPicture(client, operation, entered, call);
    const { other_fields, ...given } = input;
    const named = readArguments(operation, given, { more: utmFields });
    const example = '{"utm_id": "42"}';
    const own = readJsonObject(operation.title, 'other_fields', other_fields, example);
    const others = readArguments(operation, own);
    const issues = Object.keys(named)
      .filter((field) => !utm.includes(field))
      .concat(Object.keys(others).filter((field) => field === 'utm_medium'))
      .map((field) => ({ field, message: noEffect(field) }));
    if (issues.length > 0) throw new InputError(operation.title, issues);
    const record: unknown = await drawing.call(
      operation,
      { ...others, ...named },
      callOptionsOf(call),
    );
    const link = record as Record<string, unknown>;
    const lost = Object.keys({ ...others, ...named }).filter((field) => !isIn(link.url, field));
    if (lost.length === 0) return link;
    return {
      ...link,
      note: `The link has no ${lost.join(', ')}: the service may have ignored it.`,
    };
  };
}

function noEffect(field: string): string {
  if (field === 'utm_medium') return 'must be left out: the service always sets it to partner_api';
  const meant = utm.find((name) => name === `utm_${field}`);
  return meant
    ? `is unknown: use ${meant}`
    : 'is unknown: put a field that you agreed on with the Screen Advertising team into other_fields';
}

/** The link need not show any other field. */
function isIn(url: unknown, field: string): boolean {
  if (!field.startsWith('utm_') || typeof url !== 'string' || !URL.canParse(url)) return true;
  return new URL(url).searchParams.has(field);
}

const pictureField: ReadField = { name: 'qr_code', title: 'QR Code', type: 'toggle' };

/** A client that attaches the QR code of its record as an image, if the caller wants one. */
function withPicture(
  client: Client,
  operation: Operation,
  given: ToolArguments,
  { attach }: ToolCall,
) {
  const { qrCode, input } = separateQrCodeFields(operation, given);
  const { qr_code: wanted, qr_code_text: text, ...others } = qrCode;
  const [field] = Object.keys(others);
  if (field) {
    const message = 'is unknown: qr_code is true or false';
    throw new InputError(operation.title, [{ field, message }]);
  }
  const form = qrCodeForm(operation) ?? operation;
  const look = { qr_code: wanted, qr_code_text: text };
  const { qr_code, ...read } = readArguments(form, look, { more: [pictureField] });
  const drawing = withQrCode(
    client,
    { ...read, ...(qr_code === true && { qr_code: 'png' }) },
    async (code) => {
      const { mimeType, bytes } = await drawQrCode(code);
      attach({ type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType });
    },
  );
  return { drawing, input };
}

/** An operation that creates a record destroys nothing; any other change may. */
function annotationsOf({ method, successStatus, recovery }: Operation): Tool['annotations'] {
  if (method === 'GET') return { readOnlyHint: true };
  return {
    readOnlyHint: false,
    destructiveHint: successStatus !== 201,
    idempotentHint: recovery !== 'none',
  };
}

function inputOf(operation: Operation): JsonSchema {
  const { properties, ...schema } = inputSchema(operation);
  const fields = properties as Record<string, JsonSchema>;
  const picture = { qr_code: { type: 'boolean', description: 'Adds a QR code as a picture.' } };
  if (operation.name === 'landingLink.create') {
    const texts = utm.map((name) => [name, { type: 'string' }]);
    const other_fields = {
      type: 'object',
      description: 'Fields that you agreed on with the Screen Advertising team, by name.',
    };
    const all = { ...Object.fromEntries(texts), other_fields, ...picture };
    return { type: 'object', properties: all, additionalProperties: false };
  }
  if (operation.name !== 'coupon.create') return { ...schema, properties: fields };
  const form = qrCodeForm(operation);
  const { qr_code_text } = form ? (inputSchema(form).properties as ToolArguments) : {};
  return { ...schema, properties: { ...fields, ...picture, qr_code_text } };
}
