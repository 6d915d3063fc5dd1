import { createRelay } from '../create-relay.ts';
import { commands } from './commands.ts';
import { environmentLines } from './environment.ts';
import { serve } from './serve.ts';
import { readSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

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
  const flags = ['--json', '--with-sandbox'];
  const [noun = 'start', verb = '', ...more] = args.filter((arg) => !flags.includes(arg));
  if (args.includes('--help') || args.includes('-h')) return terminal.write(helpText());
  const settings = readSettings(terminal.environment);
  const withSandbox = args.includes('--with-sandbox');
  if (noun === 'start' && verb === '') return serve(settings, withSandbox, terminal);
  const command = commands[`${noun} ${verb}`];
  if (!command) throw new UsageError(`"${`${noun} ${verb}`.trim()}" is not understood.`);
  const relay = await createRelay(settings.options);
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
  const starts = [
    { usage: 'start', does: 'Serves, and delivers' },
    { usage: 'start --with-sandbox', does: 'Besides it a sandbox that is registered with it' },
  ];
  const all = [...starts, ...Object.values(commands)];
  return `screen-advertising-relay: one registered webhook address, every subscriber, nothing lost.

Usage
${all.map(({ usage, does }) => `  ${usage.padEnd(28)}${does}`).join('\n')}

Each takes --json. The settings are environment variables:
${environmentLines()}`;
}
