import { type Client, createClient, type Operation } from '@screen-advertising/core';
import { readAccess } from '@screen-advertising/core/platform';
import { CommanderError } from 'commander';
import { exitCodeOf } from './exit-code.ts';
import { type Fields, type Output, program } from './program.ts';
import { recordTable, table } from './table.ts';

export interface Terminal extends Output {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches the error output, where progress is shown. */
  readonly isWatched: boolean;
  /** Characters in a line. */
  readonly columns: number;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

/** Runs a command line and resolves with the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { write, writeError, env, columns, stop } = terminal;
  let change: Operation | undefined;
  const execute = async (operation: Operation, input: Fields, asTable: boolean): Promise<void> => {
    if (operation.method === 'POST') change = operation;
    const client = createClient(readAccess(env));
    const isList = operation.responseKind !== 'record';
    const isAll = isList && input.limit === undefined && input.cursor === undefined;
    const result: unknown = isAll
      ? await readAll(client, operation, input, terminal)
      : await client.call(operation, input, { signal: stop });
    if (!asTable) return write(`${JSON.stringify(result, null, 2)}\n`);
    if (!isList) return write(recordTable(result as Fields));
    const records = isAll ? result : (result as { data: unknown }).data;
    write(table(records as readonly Fields[], columns));
  };
  try {
    await program(terminal, execute).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (stop.aborted) {
      if (change) writeError(stoppedWithin(change));
      return 130;
    }
    writeError(`${(error as Error).message}\n`);
    return exitCodeOf(error);
  }
}

function stoppedWithin({ title }: Operation): string {
  return `${title} was stopped before it got a response, so it may have gone through. Check before you retry.\n`;
}

async function readAll(
  client: Client,
  operation: Operation,
  filters: Fields,
  { isWatched, writeError, stop }: Terminal,
): Promise<unknown[]> {
  const { largestPage } = operation;
  const input = { ...filters, ...(largestPage !== undefined && { limit: largestPage }) };
  const records: unknown[] = [];
  for await (const { data, pagination } of client.pages(operation, input, { signal: stop })) {
    for (const record of data) records.push(record);
    if (isWatched) writeError(progressBar(records.length, Number(pagination.total_count)));
  }
  if (isWatched) writeError('\n');
  return records;
}

const barWidth = 24;

/** One line that overwrites the previous one. Counts up when the total is unknown. */
function progressBar(count: number, total: number): string {
  const share = total > 0 ? Math.min(1, count / total) : 0;
  const bar = '#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.');
  return `\r[${bar}] ${count}${total > 0 ? ` of ${total}` : ''}`;
}
