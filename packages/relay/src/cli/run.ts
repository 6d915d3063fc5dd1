import { createRelay } from '../create-relay.ts';
import { commands } from './commands.ts';
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
  const [noun = 'start', verb = '', ...more] = args.filter((arg) => arg !== '--json');
  if (args.includes('--help') || args.includes('-h')) return terminal.write(helpText());
  const settings = readSettings(terminal.environment);
  if (noun === 'start') return serve(settings, terminal);
  const command = commands[`${noun} ${verb}`.trim()];
  if (!command) throw new UsageError(`"${`${noun} ${verb}`.trim()}" is not understood.`);
  const relay = await createRelay(settings.options);
  try {
    const readSecret = async () => (await terminal.readInput()).trim();
    const result = await command.run(relay, more, readSecret, addressOf(settings));
    terminal.write(
      args.includes('--json') ? `${JSON.stringify(result, null, 2)}\n` : lines(result),
    );
  } finally {
    await relay.close();
  }
}

/** Where the relay that serves is reached, as far as the settings say. */
function addressOf({ publicUrl, host, port }: Settings): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
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
        await relay.signInLink(publicUrl ?? url),
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

function banner(url: string, page: string, sources: readonly string[]): string {
  const addresses = sources
    .map((name) => `Register this address with the service: ${url}/in/${name}\n`)
    .join('');
  const first = `No source yet. Add one with the signing secret of your access:
  screen-advertising-relay sources add main < secret.txt
  screen-advertising-relay tokens create main my-connector
`;
  return `Screen Advertising relay
API  ${url}/api/v1
Page ${page}
${addresses || first}
Stop with Ctrl-C.
`;
}

function lines(result: unknown): string {
  const records = Array.isArray(result) ? result : [result];
  return records
    .map((record) =>
      Object.entries(record)
        .map(([name, value]) => `${name.padEnd(16)}${value ?? '-'}\n`)
        .join(''),
    )
    .join('\n');
}

function helpText(): string {
  const all = [{ usage: 'start', does: 'Serves, and delivers' }, ...Object.values(commands)];
  return `screen-advertising-relay: one registered webhook address, every subscriber, nothing lost.

Usage
${all.map(({ usage, does }) => `  ${usage.padEnd(28)}${does}`).join('\n')}

Each takes --json. The settings are environment variables: DATABASE_URL, RELAY_DATA_DIR,
RELAY_SECRET_KEY, RELAY_ADMIN_TOKEN, RELAY_ROLE, RELAY_ALLOW_TARGETS, PUBLIC_URL, HOST, PORT.
`;
}
