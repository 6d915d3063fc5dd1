import { readFile } from 'node:fs/promises';
import type { Operation } from '@screen-advertising/core';
import { parse } from 'csv-parse/sync';
import { checkFailed, exitCodeOf, stopped, UsageError } from './exit-code.ts';
import { csv } from './output.ts';
import type { Fields, Output } from './program.ts';

type Row = Readonly<Record<string, string>>;

interface Work extends Pick<Output, 'appendFile' | 'writeError'> {
  readonly file: string;
  /** Where each row has its result, and from which a later run continues. */
  readonly results: string;
  readonly isWatched: boolean;
  readonly stop: AbortSignal;
  /** Sends the request for a row. A request in progress is finished when the user stops. */
  readonly send: (row: Row) => Promise<Fields>;
}

const resultFields = ['row', 'input', 'ok', 'exit_code', 'message'];

/**
 * Sends a request for each row of a CSV file, and notes its result at once, so that a run that was
 * stopped continues with the rows that have none. Rows that failed are sent again.
 */
export async function runRows(operation: Operation, work: Work): Promise<number> {
  const { file, results, isWatched, stop, send, appendFile, writeError } = work;
  const rows = readRows(file, await readText(file));
  const known = readRows(results, await readText(results).catch(() => ''));
  const succeeded = known.filter(({ ok }) => ok === 'true');
  // A row that was edited since is sent again.
  const done = new Set(succeeded.map(({ row, input }) => `${row} ${input}`));
  const shownFields = [...resultFields, ...Object.keys(operation.sample)];
  if (known.length === 0) await appendFile(results, csv([], shownFields));
  let failed = 0;
  let sent = 0;
  for (const [index, row] of rows.entries()) {
    // As a spreadsheet numbers it, below the header.
    const noted = { row: index + 2, input: JSON.stringify(row) };
    if (done.has(`${noted.row} ${noted.input}`)) continue;
    if (stop.aborted) break;
    const result = await send(row).then(
      (record) => ({ ok: true, exit_code: 0, ...record }),
      (error: Error) => ({ ok: false, exit_code: exitCodeOf(error), message: error.message }),
    );
    if (!result.ok) failed += 1;
    sent += 1;
    await appendFile(results, csv([{ ...noted, ...result }], shownFields).replace(/^.*\n/, ''));
    if (isWatched) writeError(`\r${done.size + sent} of ${rows.length}`);
  }
  if (isWatched) writeError('\n');
  const left = rows.length - done.size - sent;
  writeError(
    `${operation.title}: ${sent - failed} succeeded, ${failed} failed, ${done.size} done before, ${left} left. Results: ${results}\n`,
  );
  if (left > 0) {
    writeError('Run the same command again to continue.\n');
    return stopped;
  }
  return failed > 0 ? checkFailed : 0;
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}.`);
  });
}

/** Fields that are empty are left out. Spreadsheets also separate with semicolons and tabs. */
function readRows(file: string, text: string): Row[] {
  try {
    const options = { columns: true, bom: true, trim: true, skip_empty_lines: true };
    const rows = parse(text, { ...options, delimiter: [',', ';', '\t'] }) as unknown;
    return (rows as Row[]).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')),
    );
  } catch (error) {
    throw new UsageError(`${file} is not a CSV file with a header: ${(error as Error).message}.`);
  }
}
