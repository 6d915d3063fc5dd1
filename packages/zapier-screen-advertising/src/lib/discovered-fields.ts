import { type CampaignRequest, operations, type Screen } from '@screen-advertising/core';
import type { Bundle, PlainOutputField, ZObject } from 'zapier-platform-core';
import { isUnsent } from './bearer.ts';
import { clientFor, singleRequestPolicy } from './client.ts';
import { isTimestamp, labelOf, withUnit } from './field-names.ts';
import { deadlineMs } from './limits.ts';

type FieldsOf = (z: ZObject, bundle: Bundle) => Promise<PlainOutputField[]>;
type ReadExample = (z: ZObject, bundle: Bundle) => Promise<object | undefined>;

/**
 * The known fields, and any others in a record that the service has now, so that users can map
 * those before they test a step. If no record can be read, only the known ones.
 */
export function withDiscoveredFields(
  known: readonly PlainOutputField[],
  readExample: ReadExample,
): (PlainOutputField | FieldsOf)[] {
  const keys = new Set(known.map(({ key }) => key));
  const find: FieldsOf = async (z, bundle) => {
    try {
      const example = await readExample(z, bundle);
      return fieldsOf(isRecord(example) ? example : {}, []).filter(({ key }) => !keys.has(key));
    } catch (error) {
      // Zapier fetches another token and calls again.
      if (isUnsent(error)) throw error;
      return [];
    }
  };
  return [...known, find];
}

/** A form cannot use more fields, or deeper ones. */
const maxFields = 100;
const maxDepth = 4;

function fieldsOf(record: object, path: readonly string[]): PlainOutputField[] {
  return Object.entries(record)
    .flatMap(([name, value]) => fieldOf([...path, name], value))
    .slice(0, maxFields);
}

/** Zapier finds the member `b` of `a` under the key `a__b`. */
function fieldOf(path: readonly string[], value: unknown): PlainOutputField[] {
  if (path.includes('') || path.length > maxDepth) return [];
  const name = path.at(-1) ?? '';
  const key = path.join('__');
  const label = withUnit(path.map(labelOf).join(' '), name);
  if (Array.isArray(value)) return [{ key, label, list: true }];
  if (isRecord(value)) return fieldsOf(value, path);
  return [{ key, label, type: typeOf(name, value) }];
}

function typeOf(name: string, value: unknown): NonNullable<PlainOutputField['type']> {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  const isTime = isTimestamp(name) && !Number.isNaN(Date.parse(String(value)));
  return isTime ? 'datetime' : 'string';
}

/** The operation returns records; any other response has no fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A screen as the service sends it now. */
export async function exampleScreen(z: ZObject, bundle: Bundle): Promise<Screen | undefined> {
  const list = operations['screen.list'];
  const { data } = await clientFor(z, bundle, singleRequestPolicy).call(
    list,
    { limit: 1 },
    { deadlineMs },
  );
  return data[0];
}

/** The same for records that contain the screen they describe, with its ID in a separate field. */
export async function exampleWithScreen(z: ZObject, bundle: Bundle): Promise<object | undefined> {
  const example = await exampleScreen(z, bundle);
  if (!isRecord(example)) return undefined;
  const { id: _known, ...screen } = example;
  return { screen };
}

/** One of the access's own campaign requests as the service sends it now. */
export async function exampleCampaignRequest(
  z: ZObject,
  bundle: Bundle,
): Promise<CampaignRequest | undefined> {
  const list = operations['campaignRequest.list'];
  const { data } = await clientFor(z, bundle, singleRequestPolicy).call(list, {}, { deadlineMs });
  return data[0];
}
