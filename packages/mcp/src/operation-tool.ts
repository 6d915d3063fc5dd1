import {
  type CallOptions,
  type Client,
  InputError,
  type Operation,
  operations,
  type Page,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import { readDays, whyEmpty } from '@screen-advertising/core/forms';
import { qrCodeForm, separateQrCode, withQrCode } from '@screen-advertising/core/qr-code';
import { listRelayEvents, type RelayClient } from '@screen-advertising/core/relay';
import type { KeyMaker } from './caller-key.ts';
import { listTool } from './list-tool.ts';
import { qrCodeContent } from './qr-code.ts';
import { describing, inputSchema, outputSchema } from './schemas.ts';
import { type Fields, type Tool, toolName } from './tool.ts';

/** A tool for each operation of the catalogue. */
export function operationTools(client: Client, makeKey: KeyMaker): Tool[] {
  return Object.values(operations).map((operation: Operation) => {
    if (operation.responseShape === 'record') return recordTool(client, operation, makeKey);
    return listTool(operation, async (input, options) => {
      const page = (await client.call(operation, input, options)) as Page<unknown>;
      const isEmpty = page.data.length === 0;
      return isEmpty ? { ...page, note: await whyEmpty(client, operation, input, options) } : page;
    });
  });
}

function recordTool(client: Client, operation: Operation, makeKey: KeyMaker): Tool {
  const { callerKey, title, description } = operation;
  return {
    name: toolName(title),
    title,
    description,
    inputSchema: withKey(operation),
    outputSchema: outputSchema(operation),
    annotations: annotationsOf(operation),
    async run(given, options, attach) {
      const { qrCode, input: entered } = separateQrCode(operation, given);
      const input = readDays(operation, entered);
      const key = callerKey !== undefined &&
        input[callerKey] === undefined && { [callerKey]: makeKey(operation, input) };
      refuseEnvelope(operation, input);
      const drawing = withQrCode(client, qrCode, async (code) => attach(await qrCodeContent(code)));
      const call = async (more: CallOptions): Promise<Record<string, unknown>> => {
        const all = { ...input, ...key };
        const record: unknown = await drawing.call(operation, all, more);
        return record as Record<string, unknown>;
      };
      try {
        return await call(options);
      } catch (error) {
        if (callerKey === undefined || !isConflict(error)) throw error;
        const record = await call({ ...options, adoptExisting: true });
        return { ...record, created: false, note: existed(operation, record) };
      }
    },
  };
}

function isConflict(error: unknown): boolean {
  return ScreenAdvertisingError.isInstance(error) && error.code === 'conflict';
}

/** A record that was found is not new: the lead may have used it since. */
function existed({ resource, callerKey }: Operation, { status }: Fields): string {
  const noun = resource.title.toLowerCase();
  const state = typeof status === 'string' ? ` Its status is ${JSON.stringify(status)}.` : '';
  return `Nothing was created: this ${noun} already existed.${state} To create another one, pass a new ${callerKey}.`;
}

/** Where any field is allowed, the service would ignore a `fields` that wraps them. */
function refuseEnvelope(operation: Operation, { fields }: Fields): void {
  const { additionalProperties } = inputSchema(operation);
  if (additionalProperties === false || typeof fields !== 'object') return;
  const message = 'must be left out: pass its members as arguments of the tool';
  throw new InputError(operation.title, [{ field: 'fields', message }]);
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

function withKey(operation: Operation): Tool['inputSchema'] {
  const { callerKey, resource } = operation;
  const own = inputSchema(operation);
  const form = qrCodeForm(operation);
  const ofQrCode = form && (inputSchema(form).properties as object);
  const schema = { ...own, properties: { ...(own.properties as object), ...ofQrCode } };
  if (callerKey === undefined) return schema;
  const words = `Leave it out unless the user names one. It is then generated from the other arguments and the date, so a retry finds the ${resource.title.toLowerCase()} it created.`;
  return describing(schema, callerKey, words);
}

/** A tool that lists the events a relay has stored. */
export function relayTool(relay: RelayClient): Tool {
  return listTool(listRelayEvents, async (input, options) => {
    const { data, pagination } = await relay.listEvents(input, options);
    // The payload holds the same fields inside its envelope, and lists leave out erased events.
    return { data: data.map(({ payload, is_erased, ...event }) => event), pagination };
  });
}
