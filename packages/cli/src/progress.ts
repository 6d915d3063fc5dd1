const width = 24;

/** One line that overwrites the previous one. Counts up when the total is unknown. */
export function progressBar(count: number, total: number): string {
  const share = total > 0 ? Math.min(1, count / total) : 0;
  const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
  return `\r[${bar}] ${count}${total > 0 ? ` of ${total}` : ''}`;
}
