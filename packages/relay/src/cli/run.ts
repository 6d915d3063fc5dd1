import { createRelay } from '../create-relay.ts';
import { defaultKeepDays } from '../upkeep/keep.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { lines } from './lines.ts';
import { type Environment, readSettings, type Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';

export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly readInput: () => Promise<string>;
  readonly environment: Environment;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

/** Carries out a command line; resolves with the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await carryOut(args, terminal);
    return 0;
  } catch (error) {
    const hint =
      error instanceof UsageError
        ? '\nscreen-advertising-relay --help shows what can be written.'
        : '';
    terminal.writeError(`${(error as Error).message}${hint}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function carryOut(args: readonly string[], terminal: Terminal): Promise<void> {
  const words = args.filter((arg) => arg !== '--json');
  const [noun = 'start'] = words;
  if (args.includes('--help') || args.includes('-h')) return terminal.write(helpText());
  const settings = readSettings(terminal.environment);
  if (noun === 'start') return serve(settings, terminal);
  const [command, more] = commandOf(words);
  // Serves nothing, and leaves it to the running senders to deliver.
  const relay = await createRelay({ ...settings.options, role: 'ingress' });
  try {
    const readSecret = async () => (await terminal.readInput()).trim();
    const result = await command.run(relay, more, readSecret);
    terminal.write(
      args.includes('--json') ? `${JSON.stringify(result, null, 2)}\n` : lines(result),
    );
  } finally {
    await relay.close();
  }
}

/** A command has two words or one. */
function commandOf(words: readonly string[]): [command: Command, args: readonly string[]] {
  for (const count of [2, 1]) {
    const command = commands.get(words.slice(0, count).join(' '));
    if (command) return [command, words.slice(count)];
  }
  throw new UsageError(`"${words.slice(0, 2).join(' ')}" is not understood.`);
}

async function serve(
  { options, port, host, publicUrl }: Settings,
  terminal: Terminal,
): Promise<void> {
  const { write, writeError, stop } = terminal;
  const onError = (error: unknown) => writeError(`${(error as Error).message}\n`);
  const relay = await createRelay({ ...options, onError });
  try {
    const { url } = await relay.listen(port, host);
    const sources = await relay.sources.list();
    write(
      banner(
        publicUrl ?? url,
        sources.map(({ name }) => name),
      ),
    );
    if (!stop.aborted) {
      await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
    }
  } finally {
    await relay.close();
  }
}

function banner(url: string, sources: readonly string[]): string {
  const addresses = sources
    .map((name) => `Register this address with the service: ${url}/in/${name}\n`)
    .join('');
  const first = `No source yet. Add one with the signing secret of your access:
  screen-advertising-relay sources add main < secret.txt
  screen-advertising-relay tokens create main my-connector
`;
  return `Screen Advertising relay
API  ${url}/api/v1
${addresses || first}
Stop with Ctrl-C.
`;
}

function helpText(): string {
  const all = [{ usage: 'start', does: 'Serves, and delivers' }, ...commands.values()];
  return `screen-advertising-relay: one registered webhook address, every subscriber, nothing lost.

Usage
${all.map(({ usage, does }) => `  ${usage.padEnd(26)}${does}`).join('\n')}

Each takes --json. --source NAME is needed where there are several sources. Times are written
as 2027-03-01T09:00:00Z, states are pending, delivered and dead.

The settings are environment variables: DATABASE_URL, RELAY_DATA_DIR, RELAY_SECRET_KEY,
RELAY_ROLE, RELAY_ALLOW_TARGETS, RELAY_KEEP_DAYS (${defaultKeepDays}), PUBLIC_URL, HOST, PORT.

Backup: back up the database with pg_dump, and RELAY_SECRET_KEY (or secret.key in
RELAY_DATA_DIR) apart from it. Without that key the secrets in the database cannot be read.
`;
}
