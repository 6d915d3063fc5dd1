import { visibleText } from '@screen-advertising/core/platform';

/** Formats a result for people: a block of names and values for each record. */
export function formatResult(result: unknown): string {
  const { data, cursor } = pageOf(result);
  if (data.length === 0) return 'None.\n';
  const blocks = data.map((record) =>
    fieldLines(record as object)
      .map((line) => `${line}\n`)
      .join(''),
  );
  const more = cursor === null ? [] : [`There are more: --cursor ${cursor}\n`];
  return [...blocks, ...more].join('\n');
}

const leastWidth = 16;

/** A line for each field; records in a list, such as attempts, have theirs below its name. */
function fieldLines(record: object): string[] {
  const fields = Object.entries(record);
  const width = Math.max(leastWidth, ...fields.map(([name]) => name.length + 1));
  return fields.flatMap(([name, value]) =>
    isRecords(value)
      ? [name, ...value.flatMap(itemLines)]
      : [`${name.padEnd(width)}${visibleText(textOf(value))}`],
  );
}

/** The first line of each begins with a dash. */
function itemLines(record: object): string[] {
  return fieldLines(record).map((line, nth) => `${nth === 0 ? '  - ' : '    '}${line}`);
}

function isRecords(value: unknown): value is object[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === 'object' && one !== null)
  );
}

/**
 * JSON that is safe for a terminal, which obeys control characters and reorders text by others. In
 * JSON, their escapes mean the same.
 */
export function formatJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/(?!\n)\p{C}/gu, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function pageOf(result: unknown): { data: readonly unknown[]; cursor: string | null } {
  if (Array.isArray(result)) return { data: result, cursor: null };
  const { data, pagination } = result as {
    data?: readonly unknown[];
    pagination?: { cursor: string | null };
  };
  return data && pagination
    ? { data, cursor: pagination.cursor }
    : { data: [result], cursor: null };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.join(', ');
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
