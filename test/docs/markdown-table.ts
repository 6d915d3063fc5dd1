/**
 * Formats a Markdown table with columns as wide as their widest cell. The first row is the heading.
 */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [heading = [], ...others] = rows;
  const widths = heading.map((_name, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[], fill = ' '): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |\n`;
  return [line(heading), line([], '-'), ...others.map((row) => line(row))].join('');
}

/** Empties first cells that equal the one above, so that a group's name appears once. */
export function groupedRows(rows: readonly (readonly string[])[]): string[][] {
  return rows.map(([group = '', ...rest], index) => [
    group === rows[index - 1]?.[0] ? '' : group,
    ...rest,
  ]);
}
