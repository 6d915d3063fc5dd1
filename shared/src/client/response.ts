import type * as z from 'zod/mini';
import type { Endpoint } from '../catalogue/operation.ts';
import type { Page } from '../catalogue/page.ts';
import { isRecord, parseJsonOr } from '../json.ts';
import type { TransportResponse } from '../transport/transport.ts';

/** What a call returns: a page for lists, otherwise the record itself. */
export type ResultOf<Op extends Pick<Endpoint, 'responseKind' | 'output'>> =
  Op['responseKind'] extends 'record' ? z.output<Op['output']> : Page<z.output<Op['output']>>;

/**
 * Reads a response tolerantly: only its shape matters, and values pass through untouched. Returns
 * undefined when the body does not fit the operation.
 */
export function parseResponse(
  operation: Endpoint,
  input: Readonly<Record<string, unknown>>,
  response: TransportResponse,
): unknown {
  if (operation.allowsEmptyResponse && response.body.trim() === '') return { ...input };
  const { responseKind, requiredFields } = operation;
  const body = parseJsonOr(response.body, undefined);
  const value = responseKind === 'record' ? readRecord(operation, body) : readPage(body);
  if (!requiredFields || !value) return value;
  const records = responseKind === 'record' ? [value] : (value as Page<unknown>).data;
  return records.every((record) => hasTexts(record, requiredFields)) ? value : undefined;
}

function hasTexts(record: unknown, names: readonly string[]): boolean {
  return isRecord(record) && names.every((name) => typeof record[name] === 'string');
}

function readRecord({ output }: Endpoint, body: unknown): unknown {
  if (!isRecord(body)) return undefined;
  const { data } = body;
  if (!isRecord(data)) return body;
  // A record may have its own member `data`. In that case its known fields are next to it.
  const { shape } = output as z.ZodMiniObject;
  for (const name of Object.keys(body)) {
    if (name !== 'data' && name in shape) return body;
  }
  return data;
}

function readPage(body: unknown): Page<unknown> | undefined {
  if (Array.isArray(body)) return { data: body, pagination: { has_more: false } };
  if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
  const pagination = isRecord(body.pagination) ? body.pagination : { has_more: false };
  return { ...body, data: body.data, pagination };
}
