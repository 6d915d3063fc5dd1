import { writeFile } from 'node:fs/promises';
import { createSandbox } from '../create-sandbox.ts';
import { openApiDocument } from '../openapi/document.ts';
import { readArguments, UsageError } from './arguments.ts';
import { banner } from './banner.ts';
import { fireInRunning } from './fire-command.ts';
import { helpText } from './help.ts';

export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

/** Runs a command line and resolves with the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await execute(args, terminal);
    return 0;
  } catch (error) {
    terminal.writeError(`${messageOf(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function execute(
  args: readonly string[],
  { write, writeError, stop }: Terminal,
): Promise<void> {
  const command = readArguments(args);
  if (command.name === 'help') return write(helpText());
  if (command.name === 'openapi') {
    const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
    return command.out === undefined ? write(text) : writeFile(command.out, text);
  }
  if (command.name === 'fire') {
    const { name: _name, ...event } = command;
    return write(await fireInRunning(event));
  }
  const sandbox = createSandbox({
    ...command.options,
    warn: (message) => writeError(`${message}\n`),
  });
  try {
    const { port, host } = command;
    write(banner(sandbox, { ...(await sandbox.listen({ port, host })), host }));
    if (!stop.aborted) {
      await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
    }
  } finally {
    await sandbox.close();
  }
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError) {
    return `${error.message}\nRun screen-advertising-sandbox --help for usage.`;
  }
  const { code, port, address, hostname, message } = error as ListenError;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Choose another with --port, or use --port 0 for a free one.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `--host ${address ?? hostname} is not an address of this machine. Use 0.0.0.0 for all of its addresses, or leave out --host.`;
  }
  return message;
}

interface ListenError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}
