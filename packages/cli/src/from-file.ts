import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Operation } from '@screen-advertising/core';
import { parse } from 'csv-parse/sync';
import { checkFailedExitCode, exitCodeOf, stoppedExitCode, UsageError } from './exit-code.ts';
import { toCsv } from './output.ts';
import type { OptionValues, Output } from './program.ts';

export type CsvRow = Readonly<Record<string, string>>;

interface Work extends Pick<Output, 'appendFile' | 'writeError'> {
  readonly file: string;
  /** Where each row has its result, and from which a later run continues. */
  readonly results: string;
  readonly isWatched: boolean;
  readonly stop: AbortSignal;
  /** The options beside the file, the same for every row. */
  readonly given: OptionValues;
  /** The input of a row. Throws UsageError for columns that do not exist. */
  readonly read: (row: CsvRow) => OptionValues;
  /** Sends the request for a row. A request in progress is finished when the user stops. */
  readonly send: (input: OptionValues) => Promise<OptionValues>;
}

const resultFields = ['row', 'command', 'input', 'ok', 'exit_code', 'message'];

/**
 * Sends a request for each row of a CSV file, and notes its result at once, so that a run that was
 * stopped continues with the rows that have none. Rows that failed are sent again.
 */
export async function runForEachCsvRow(operation: Operation, work: Work): Promise<number> {
  const { file, results, isWatched, stop, read, send, appendFile, writeError } = work;
  const rows = readRows(file, await readText(file)).map(({ number, row }) => {
    // A row that was edited, and one that is sent with other options, is sent again.
    const input = { ...work.given, ...read(row) };
    return { input, noted: { row: number, command: operation.name, input: JSON.stringify(input) } };
  });
  const shownFields = [...resultFields, ...Object.keys(operation.sample)];
  const earlier = existsSync(results) ? await readText(results) : '';
  if (earlier === '') {
    await appendFile(results, toCsv([], shownFields)).catch((error: Error) => {
      throw new UsageError(`${results} cannot be written: ${error.message}.`);
    });
  } else if (!earlier.startsWith(toCsv([], shownFields))) {
    throw new UsageError(
      `${results} is not the file with the results of this command. Name another one with --results.`,
    );
  }
  const known = readRows(results, earlier).map(({ row }) => row);
  const succeeded = known.filter(({ ok }) => ok === 'true');
  const done = new Set(succeeded.map(keyOf));
  let failed = 0;
  let sent = 0;
  for (const { input, noted } of rows) {
    if (done.has(keyOf(noted))) continue;
    if (stop.aborted) break;
    const result = await send(input).then(
      (record) => ({ ok: true, exit_code: 0, ...record }),
      (error: Error) => ({ ok: false, exit_code: exitCodeOf(error), message: error.message }),
    );
    if (!result.ok) failed += 1;
    sent += 1;
    await appendFile(results, toCsv([{ ...noted, ...result }], shownFields).replace(/^.*\n/, ''));
    if (isWatched) writeError(`\r${done.size + sent} of ${rows.length}`);
  }
  if (isWatched) writeError('\n');
  const before = rows.filter(({ noted }) => done.has(keyOf(noted))).length;
  const left = rows.length - before - sent;
  writeError(
    `${operation.title}: ${sent - failed} succeeded, ${failed} failed, ${before} done before, ${left} left. Results: ${results}\n`,
  );
  if (left > 0) {
    writeError('Run the same command again to continue.\n');
    return stoppedExitCode;
  }
  return failed > 0 ? checkFailedExitCode : 0;
}

/** Names the row and the request that a result belongs to. */
function keyOf({ row, command, input }: OptionValues): string {
  return `${row} ${command} ${input}`;
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}.`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} is not in UTF-8. Save it as "CSV UTF-8".`);
  }
}

/** Rows by the number that a spreadsheet shows, without those in which nothing is filled in. */
function readRows(file: string, text: string): { number: number; row: CsvRow }[] {
  // Excel takes the delimiter from such a first line, and does not show it as a row.
  const [mark = '', named] = /^"?sep=([^"\w\s]|\t)"?[;,\t]*(?:\r?\n|$)/i.exec(text) ?? [];
  const table = text.slice(mark.length);
  const [header = ''] = table.split(/[\r\n]/, 1);
  // Spreadsheets write semicolons where the comma is in numbers, and tabs.
  const delimiter = named ?? [';', '\t'].find((one) => header.includes(one)) ?? ',';
  let lines: string[][];
  try {
    lines = parse(table, { delimiter, trim: true, relax_column_count: true });
  } catch (error) {
    throw new UsageError(`${file} is not a CSV file: ${(error as Error).message}.`);
  }
  const [names = [], ...rows] = lines;
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`${file} has the column ${twice} twice.`);
  return rows.flatMap((values, index) => {
    const number = index + 2;
    const beyond = values.findIndex((value, column) => value !== '' && !names[column]);
    if (beyond >= 0) {
      throw new UsageError(
        `Row ${number} of ${file} has a value in column ${beyond + 1}, which has no name.`,
      );
    }
    if (values.every((value) => value === '')) return [];
    // Spreadsheets leave out what is empty at the end of a row.
    const cells = names.flatMap((name, column) =>
      name ? [[name, values[column] ?? ''] as const] : [],
    );
    return [{ number, row: Object.fromEntries(cells) }];
  });
}
