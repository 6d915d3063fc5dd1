import { escapeInvisible } from '@screen-advertising/core/platform';

type Row = Readonly<Record<string, unknown>>;

/** How a command prints its records. */
export interface OutputFormat {
  readonly format: 'json' | 'table' | 'csv';
  /** The fields to print, in this order. Undefined for all. */
  readonly fields?: readonly string[] | undefined;
  /** Characters in a line of the terminal. Undefined where the output goes to a file or program. */
  readonly columns: number | undefined;
}

/** The result of a command as text: one record, or several. */
export function formatResult(result: unknown, isRecord: boolean, shape: OutputFormat): string {
  const { format, fields, columns } = shape;
  const all = isRecord ? [result as Row] : recordsInResult(result);
  const records = fields ? all.map((record) => picked(flat(record), fields)) : all;
  if (format === 'json') {
    const value = fields ? (isRecord ? records[0] : records) : result;
    return `${escapeForTerminal(JSON.stringify(value, null, 2))}\n`;
  }
  if (format === 'csv') return toCsv(fields ? records : records.map(flat), fields);
  if (isRecord) return recordTable(records[0] ?? {});
  return records.length > 0 ? table(records.map(flat), columns, fields) : '';
}

export function recordsInResult(result: unknown): Row[] {
  return Array.isArray(result) ? result : (result as { data: Row[] }).data;
}

/** A screen's availability with the fields of the screen beside it. */
function flat({ screen, ...record }: Row): Row {
  if (typeof screen !== 'object' || screen === null)
    return { ...record, ...(screen !== undefined && { screen }) };
  const { id: _id, ...fields } = screen as Row;
  return { ...fields, ...record };
}

function picked(record: Row, fields: readonly string[]): Row {
  return Object.fromEntries(fields.map((name) => [name, record[name] ?? null]));
}

/** Lines of RFC 4180 with a header: the fields, or every field of any record. */
export function toCsv(records: readonly Row[], fields?: readonly string[]): string {
  const names = fields ?? [...new Set(records.flatMap((record) => Object.keys(record)))];
  const lines = [names, ...records.map((record) => names.map((name) => record[name]))];
  return lines.map((values) => `${values.map(csvCell).join(',')}\n`).join('');
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = escapeForTerminal(typeof value === 'string' ? value : JSON.stringify(value));
  return /[",\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const widestCell = 32;

/** Shown first: what people choose a record by. The rest follows as the service orders it. */
const preferred = [
  ...['id', 'screen_id', 'code', 'name', 'status', 'city', 'distance_km'],
  ...['available_sov_pct', 'total_price_cents', 'price_per_day_cents'],
];
/** The next command needs them whole. */
const identifiers = new Set(['id', 'screen_id', 'code']);

/** Records as a table: all of it in a pipe, or as many columns as fit on a line of a terminal. */
function table(
  records: readonly Row[],
  columns: number | undefined,
  fields?: readonly string[],
): string {
  const all = fields ?? Object.keys(records[0] ?? {});
  const first = fields ? [] : preferred.filter((name) => all.includes(name));
  const names = [...first, ...all.filter((name) => !first.includes(name))];
  const widest = (name: string) =>
    columns === undefined || identifiers.has(name) ? Number.POSITIVE_INFINITY : widestCell;
  const cells = records.map((row) => names.map((name) => characters(cell(row[name]))));
  const widths = names.map((name, index) => {
    const longest = cells.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0);
    return Math.min(widest(name), Math.max(escapeInvisible(name).length, longest));
  });
  let used = 0;
  const count = widths.filter((width, index) => {
    used += width + 2;
    return index === 0 || columns === undefined || fields || used <= columns;
  }).length;
  return [names.map((name) => characters(escapeInvisible(name))), ...cells]
    .map((row) =>
      row
        .slice(0, count)
        .map((text, index) => padded(text, widths[index] ?? 0))
        .join('  ')
        .trimEnd()
        .concat('\n'),
    )
    .join('');
}

/** One record for people, one line per field. */
function recordTable(record: Row): string {
  const width = Math.max(0, ...Object.keys(record).map((name) => escapeInvisible(name).length)) + 2;
  return Object.entries(record)
    .map(([name, value]) => `${escapeInvisible(name).padEnd(width)}${cell(value)}\n`)
    .join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return escapeInvisible(text);
}

const segmenter = new Intl.Segmenter();

/** As people see them: an emoji is one, however many code units it has. */
function characters(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

function padded(text: readonly string[], width: number): string {
  const short = text.length > width ? [...text.slice(0, width - 1), '…'] : text;
  return short.join('') + ' '.repeat(width - short.length);
}

/** Everything that moves the cursor, changes colors, or reorders the text of a line. */
const unprintable = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside, safe for a terminal: control and bidirectional characters are written as
 * `\uXXXX`, which inside JSON means the same. Line breaks stay.
 */
export function escapeForTerminal(text: string): string {
  return text.replace(unprintable, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
