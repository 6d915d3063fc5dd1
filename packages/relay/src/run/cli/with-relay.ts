import type { Command } from 'commander';
import { RelayError } from '../../base/relay-error.ts';
import type { RelayOptions } from '../../options.ts';
import type { Relay } from '../../relay.ts';
import { createRelay } from '../create-relay.ts';
import { isNewFolder } from '../postgres/cluster.ts';
import { formatJson, formatResult } from './format-result.ts';
import { readSettings, type Settings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Adds a command, by the words that choose it, such as `sources add`. */
export type Add = (words: string, does: string) => Command;

/** What a command may use in addition to its arguments. */
export interface Tools extends Pick<Terminal, 'write' | 'writeError' | 'stop'> {
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
export type WithRelay = <Args extends readonly unknown[]>(
  run: (tools: Tools, ...args: Args) => Promise<unknown>,
  needs?: Needs,
) => (...args: Args) => Promise<void>;

export function withRelay({ environment, readInput, ...terminal }: Terminal): WithRelay {
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
