import { visibleText } from '@screen-advertising/core/platform';

type Row = Readonly<Record<string, unknown>>;

const widestCell = 32;

/** Shown first: what people choose a record by. The rest follows as the service orders it. */
const preferred = [
  ...['id', 'screen_id', 'code', 'name', 'status', 'city', 'distance_km'],
  ...['available_sov_pct', 'total_price_cents', 'price_per_day_cents'],
];

/** Records as a table for people, with as many columns as fit on a line. */
export function table(records: readonly Row[], columns: number): string {
  const all = Object.keys(records[0] ?? {});
  const first = preferred.filter((name) => all.includes(name));
  const names = [...first, ...all.filter((name) => !first.includes(name))];
  const widths = names.map((name) => {
    const widest = records.reduce((most, row) => Math.max(most, cell(row[name]).length), 0);
    return Math.min(widestCell, Math.max(visibleText(name).length, widest));
  });
  let used = 0;
  const shown = names.filter((_name, index) => {
    used += (widths[index] ?? 0) + 2;
    return index === 0 || used <= columns;
  });
  const line = (words: readonly string[]) =>
    words
      .map((word, index) => cut(word, widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [shown.map(visibleText), ...records.map((row) => shown.map((name) => cell(row[name])))]
    .map((words) => `${line(words)}\n`)
    .join('');
}

/** One record for people, one line per field. */
export function recordTable(record: Row): string {
  const width = Math.max(0, ...Object.keys(record).map((name) => visibleText(name).length)) + 2;
  return Object.entries(record)
    .map(([name, value]) => `${visibleText(name).padEnd(width)}${cell(value)}\n`)
    .join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return visibleText(text);
}

function cut(text: string, width: number): string {
  return (text.length > width ? `${text.slice(0, width - 1)}…` : text).padEnd(width);
}

/** Everything that moves the cursor, changes colors, or reorders the text of a line. */
const unprintable = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside, safe for a terminal: control and bidirectional characters are written as
 * `\uXXXX`, which inside JSON means the same. Line breaks stay.
 */
export function printable(text: string): string {
  return text.replace(unprintable, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
