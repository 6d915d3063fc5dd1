import { escapeInvisible } from '@screen-advertising/core/platform';
import type { Command } from 'commander';
import { RelayError } from '../../base/relay-error.ts';
import { createRelay } from '../create-relay.ts';
import { isNewFolder } from '../postgres/cluster.ts';
import type { Relay, RelayOptions } from '../relay.ts';
import { readSettings, type Settings, type Terminal } from './settings.ts';

/** Adds a command, by the words that choose it, such as `sources add`. */
export type AddCommand = (words: string, does: string) => Command;

/** A command may use these beside its arguments. */
export interface CommandTools extends Pick<Terminal, 'write' | 'writeError' | 'stop'> {
  readonly relay: Relay;
  readonly readSecret: () => Promise<string>;
  /** Where the relay that serves is reached. */
  readonly relayUrl: string;
  readonly isJson: boolean;
}

interface Needs {
  /** Whether it runs although the secrets in the database cannot be decrypted. */
  readonly isForLostKey?: boolean;
  /** Whether it creates the data folder of a new relay. */
  readonly isForNewFolder?: boolean;
}

/**
 * The action of a command, which gets its arguments and its options. What it returns is printed: as
 * JSON, or as lines of names and values. Undefined if it has printed already.
 */
export type RelayAction = <Args extends readonly unknown[]>(
  run: (tools: CommandTools, ...args: Args) => Promise<unknown>,
  needs?: Needs,
) => (...args: Args) => Promise<void>;

export function withRelay({ environment, readInput, ...terminal }: Terminal): RelayAction {
  return (run, { isForLostKey = false, isForNewFolder = false } = {}) =>
    async (...args) => {
      const settings = readSettings(environment);
      if (!isForNewFolder) await checkDataFolder(settings.options);
      // Does not serve: the running senders make the deliveries.
      const own = { role: 'ingress', isSecretKeyLost: isForLostKey } as const;
      const relay = await createRelay({ ...settings.options, ...own });
      try {
        const readSecret = async () => (await readInput()).trim();
        const { json: isJson = false } = (args.at(-1) as Command).optsWithGlobals();
        const tools = { ...terminal, relay, readSecret, relayUrl: addressOf(settings), isJson };
        const result = await run(tools, ...args);
        if (result === undefined) return;
        terminal.write(isJson ? `${formatJson(result, 2)}\n` : formatResult(result));
      } finally {
        await relay.close();
      }
    };
}

/** A folder that is not the relay's would get an empty database. */
async function checkDataFolder({ databaseUrl, dataDir }: RelayOptions): Promise<void> {
  if (databaseUrl !== undefined || dataDir === undefined || !(await isNewFolder(dataDir))) return;
  throw new RelayError(
    'data_folder',
    `No relay has its data in ${dataDir}. Set RELAY_DATA_DIR to the folder that your relay names after "Data" when it starts, or DATABASE_URL to its database.`,
  );
}

/** Where the running relay is reached, according to the settings. */
function addressOf({ publicUrl, host, port }: Settings): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Formats a result for people: a block of names and values for each record. */
function formatResult(result: unknown): string {
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
      : [`${name.padEnd(width)}${escapeInvisible(textOf(value))}`],
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
