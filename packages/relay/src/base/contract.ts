import type { RelayContract, relayRecordSchemas } from '@screen-advertising/core/relay-contract';
import * as z from 'zod';
import type { ZodMiniObject } from 'zod/mini';
import { RelayError } from './relay-error.ts';

/** The ID of an operation, such as `subscriptions.retry`. */
export type OperationId = keyof RelayContract;

type Schemas = typeof relayRecordSchemas;

/** The input of an operation beside an ID in its path. */
export type InputOf<Id extends OperationId> = z.output<RelayContract[Id]['input']>;

export type OutputOf<Id extends OperationId> =
  RelayContract[Id]['output'] extends infer Name extends keyof Schemas
    ? z.output<Schemas[Name]>
    : undefined;

/** Records as the API shows them. */
export type SubscriptionRecord = OutputOf<'subscriptions.get'>;
export type EventRecord = OutputOf<'events.get'>;
export type DeliveryRecord = OutputOf<'deliveries.list'>['data'][number];
export type DeliveryWithResponses = OutputOf<'deliveries.get'>;
export type TestResult = OutputOf<'subscriptions.test'>;
export type StartedDeliveries = OutputOf<'subscriptions.redeliver'>;

/** Parses the value with the schema. Throws a RelayError that names every invalid member. */
export function parseWithSchema<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return `${issue.keys.slice(0, 10).join(', ')}: unknown field, leave it out`;
    }
    return issue.path.length > 0
      ? `${issue.path.join('.')} ${issue.message}`
      : 'the body must be a JSON object';
  });
  throw new RelayError('invalid_parameter', `${faults.slice(0, 10).join('; ')}.`, {
    member: result.error.issues[0]?.path.join('.'),
  });
}

/** Reads a text as the number that the schema takes there. Any other text stays, to be refused. */
export function textToNumber(
  schema: ZodMiniObject,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const isNumber = typeof property === 'object' && property.type === 'integer';
      return [name, isNumber && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text];
    }),
  );
}

/** Milliseconds since 1970 of a timestamp that was checked. */
export function timestampToMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** Records of a page, unless a request says how many. */
export const defaultLimit = 50;

export interface Page<Item> {
  data: Item[];
  pagination: { cursor: string | null; has_more: boolean };
}

/** The rows of a page, out of one row more, and the place of the last one if others follow. */
export function rowsOfPage<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => string,
): { readonly shown: readonly Row[]; readonly next: string | undefined } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: last && rows.length > limit ? placeOf(last) : undefined };
}

/** A page as the API shows it, out of one row more. */
export function pageOfRows<Row, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
  placeOf: (row: Row) => string,
): Page<Item> {
  const { shown, next } = rowsOfPage(rows, limit, placeOf);
  return {
    data: shown.map(show),
    pagination: {
      cursor: next === undefined ? null : Buffer.from(next).toString('base64url'),
      has_more: next !== undefined,
    },
  };
}

/**
 * The place in a cursor from `pageOf`; undefined without a cursor. Throws a RelayError for any other
 * text.
 */
export function readCursor<Place>(
  cursor: string | undefined,
  read: (text: string) => Place | undefined,
): Place | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  const place = read(text);
  // Node ignores characters that are not base64.
  if (place !== undefined && Buffer.from(text).toString('base64url') === cursor) return place;
  throw new RelayError(
    'invalid_parameter',
    'cursor must be the cursor of the previous page, unchanged.',
  );
}

/** The number of a row; undefined for any other text. */
export function readRowNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

type Fields<Id extends OperationId> = keyof RelayContract[Id]['input']['shape'] extends never
  ? unknown
  : Readonly<z.input<RelayContract[Id]['input']>>;

type OfRecord<Id extends OperationId> = RelayContract[Id]['path'] extends `${string}{id}${string}`
  ? { readonly id: string }
  : unknown;

/** Its input, the ID in its path, and the name of a source. Default: all sources. */
type Asked<Id extends OperationId> = Fields<Id> &
  OfRecord<Id> & { readonly source?: string | undefined };

/** Can be left out if the operation needs none of it. */
export type OperatorInput<Id extends OperationId> =
  Record<never, never> extends Asked<Id> ? [asked?: Asked<Id>] : [asked: Asked<Id>];
