import { type Client, createClient, InputError, type Operation } from '@screen-advertising/core';
import {
  findAvailableScreens,
  findNearbyScreens,
  nearbyRecords,
  reasonsForFewScreens,
  searchNotes,
} from '@screen-advertising/core/availability';
import { explainEmptyResult, readArguments, userLookupFacts } from '@screen-advertising/core/forms';
import { couponKeyOrSecret, withLeadCoupons } from '@screen-advertising/core/lead-coupons';
import { accessVariables, readAccess } from '@screen-advertising/core/platform';
import {
  drawQrCode,
  drawQrCodeForTerminal,
  qrCodeForm,
  withQrCode,
} from '@screen-advertising/core/qr-code';
import { CommanderError } from 'commander';
import { addDoctorCommand } from './doctor/doctor-command.ts';
import { exitCodeOf, invalidCommandLineExitCode, stoppedExitCode } from './exit-code.ts';
import { addExplainDelivery } from './explain-delivery.ts';
import { type CsvRow, runForEachCsvRow } from './from-file.ts';
import { escapeForTerminal, formatResult, recordsInResult } from './output.ts';
import { accessFromProfile } from './profile.ts';
import {
  addCompletionCommand,
  createCommandLine,
  type ExecuteTask,
  type OptionValues,
  type Output,
  type QrCodeFields,
  readCsvRow,
  suggestCommand,
  type Terminal,
} from './program.ts';

type Task = Parameters<ExecuteTask>[0];

/** Runs a command line and resolves with the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const { write, columns, stop, env, version } = terminal;
  const writeError = (text: string) => terminal.writeError(escapeForTerminal(text));
  let change: Operation | undefined;
  const print = async (text: string): Promise<void> => {
    try {
      await write(text);
    } catch (error) {
      // The reader of the pipe has seen enough and closed it, as in `call screen.list | head`. For a
      // change, the record would be lost.
      if ((error as NodeJS.ErrnoException).code === 'EPIPE' && !change) return;
      if (change) writeError(`${change.title} succeeded:\n${text}`);
      throw new Error(`The output cannot be written: ${(error as Error).message}.`, {
        cause: error,
      });
    }
  };
  let exitCode = 0;
  const execute: ExecuteTask = async (task, { input: entered, shape, qrCode, rows, profile }) => {
    const operation = 'method' in task ? task : undefined;
    if (operation?.method === 'POST' && !rows) change = operation;
    const read = (given: OptionValues) => readArguments(task, given, { isText: true });
    const input = rows ? {} : read(entered);
    const variables = await accessFromProfile(env, profile);
    const access = readAccess(variables);
    const userAgent = `screen-advertising-cli/${version}`;
    const key = couponKeyOrSecret(variables[accessVariables.couponKey], access.auth);
    const client = withLeadCoupons(createClient({ ...access, userAgent }), key);
    if (rows && operation) {
      const send = async (fields: OptionValues) => {
        const request = { task, input: read(fields), qrCode: {} };
        // Not with the signal of the user: a request in progress is finished, so its result is known.
        const { signal } = new AbortController();
        return (await resultOf(client, request, { ...terminal, stop: signal })) as OptionValues;
      };
      const work = {
        ...rows,
        given: entered,
        read: (row: CsvRow) => readCsvRow(operation, row, entered),
        send,
      };
      exitCode = await runForEachCsvRow(operation, { ...terminal, ...work, writeError });
      return;
    }
    const { qr, ...look } = qrCode;
    const form = qrCodeForm(task);
    const drawn = { qr, ...(form && readArguments(form, look, { isText: true })) };
    const result = await resultOf(client, { task, input, qrCode: drawn }, terminal);
    const isRecord = operation?.responseShape === 'record';
    await print(formatResult(result, isRecord, { ...shape, columns }));
    if (isRecord || recordsInResult(result).length > 0) return;
    const unknown = await explainEmptyResult(client, task, input, { signal: stop });
    writeError(unknown ? `${unknown}\n` : nothingMatches(task, input));
  };
  const meant = suggestCommand(args);
  try {
    const root = createCommandLine(terminal, execute);
    for (const add of [addDoctorCommand, addExplainDelivery]) {
      add(root, { ...terminal, write: print, writeError }, (code) => {
        exitCode = code;
      });
    }
    await addCompletionCommand(root, args[0] === 'complete');
    await root.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (error.code === 'commander.unknownCommand' && meant) {
        writeError(`Did you mean: screen-advertising ${meant}\n`);
      }
      return invalidCommandLineExitCode;
    }
    if (stop.aborted) {
      if (change) writeError(stoppedWithin(change));
      return stoppedExitCode;
    }
    writeError(`${(error as Error).message}\n`);
    return exitCodeOf(error);
  }
}

const ofPages = ['limit', 'cursor'];

/** An empty result is often a typing mistake. */
function nothingMatches({ title }: Task, input: OptionValues): string {
  const filters = Object.keys(input).filter((name) => !ofPages.includes(name));
  const why =
    filters.length === 0
      ? 'this access has no such records'
      : `nothing matches. Check the spelling, or leave out one of ${filters.map((name) => `--${name}`).join(', ')}`;
  return `${title} returned no records: ${why}.\n`;
}

function stoppedWithin({ title }: Operation): string {
  return `${title} was stopped before it got a response, so it may have gone through. Check before you retry.\n`;
}

interface Request {
  readonly task: Task;
  readonly input: OptionValues;
  readonly qrCode: QrCodeFields;
}

/** A record, a page, or all records of a list without a page size. */
async function resultOf(
  client: Client,
  { task, input, qrCode }: Request,
  terminal: Terminal,
): Promise<unknown> {
  const { stop: signal, writeError } = terminal;
  if (!('method' in task)) {
    const found = await searched(task.name, client, input, signal);
    const reasons = found.screens.length === 0 ? reasonsForFewScreens(found.passedOver) : [];
    for (const note of [...searchNotes(found), ...reasons])
      writeError(escapeForTerminal(`${note}\n`));
    return found.screens;
  }
  const isAll =
    task.responseShape !== 'record' && input.limit === undefined && input.cursor === undefined;
  if (isAll) return readAll(client, task, input, terminal);
  const drawing = writingQrCode(client, task.title, qrCode, terminal);
  const result: object = await drawing.call(task, input, { signal });
  return task.name === 'user.lookup' ? { ...result, ...userLookupFacts(result) } : result;
}

async function searched(name: string, client: Client, input: OptionValues, signal: AbortSignal) {
  if (name !== 'screen.findNearby') return findAvailableScreens(client, input as never, { signal });
  const { screens, ...others } = await findNearbyScreens(client, input as never, { signal });
  return { screens: nearbyRecords(screens), ...others };
}

/** In characters. A list that does not end would fill the memory. */
const maxList = 100_000_000;
const tooLong = `The list is longer than ${maxList / 1e6} MB. Read it page by page with --limit and --cursor.`;

async function readAll(
  client: Client,
  operation: Operation,
  filters: OptionValues,
  { isWatched, writeError, stop }: Terminal,
): Promise<unknown[]> {
  const { largestPage } = operation;
  const input = { ...filters, ...(largestPage !== undefined && { limit: largestPage }) };
  const records: unknown[] = [];
  let length = 0;
  for await (const { data, pagination } of client.pages(operation, input, { signal: stop })) {
    for (const record of data) records.push(record);
    length += JSON.stringify(data).length;
    if (length > maxList) throw new Error(tooLong);
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

/**
 * A client that writes the QR code of a record to a file or, without disturbing the record, to the
 * error output. Throws InputError for a file of another kind.
 */
function writingQrCode(
  client: Client,
  title: string,
  { qr, ...fields }: QrCodeFields,
  { writeFile, writeError }: Output,
): Client {
  const [, ending] = /\.(png|svg)$/i.exec(`${qr}`) ?? [];
  if (typeof qr === 'string' && !ending) {
    throw new InputError(title, [
      { field: '--qr', message: 'takes a file ending in .png or .svg' },
    ]);
  }
  const qr_code = qr && (ending?.toLowerCase() ?? 'png');
  return withQrCode(client, { ...fields, qr_code }, async (code) => {
    if (typeof qr === 'string') await writeFile(qr, (await drawQrCode(code)).bytes);
    else writeError(await drawQrCodeForTerminal(code));
  });
}
