import { writeFile } from 'node:fs/promises';
import { CommanderError } from 'commander';
import { createSandbox } from '../create-sandbox.ts';
import { openApiDocument } from '../openapi.ts';
import { definedFields } from '../records/records.ts';
import { banner } from './banner.ts';
import { fireInRunning } from './fire-command.ts';
import { type Output, program, type ServeOptions } from './program.ts';

export interface Terminal extends Output {
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

/** Runs a command line and resolves with the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { write, writeError } = terminal;
  const root = program(
    {
      serve: (options) => serve(options, terminal),
      fire: async (event, options) => write(await fireInRunning(event, options)),
      async openapi({ out }) {
        const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
        await (out === undefined ? write(text) : writeFile(out, text));
      },
    },
    terminal,
  );
  try {
    await root.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    writeError(`${messageOf(error)}\n`);
    return 1;
  }
}

async function serve(
  { port, host, allowHost, state, variant, rateLimit, frozen, latency, ...more }: ServeOptions,
  { write, writeError, stop }: Terminal,
): Promise<void> {
  const options = {
    ...more,
    allowHosts: allowHost,
    stateFile: state,
    variants: variant,
    rateLimit: rateLimit === undefined ? undefined : { requests: rateLimit },
    latencyMs: latency,
    clock: frozen && ('frozen' as const),
  };
  const sandbox = createSandbox({
    ...definedFields(options),
    warn: (message) => writeError(`${message}\n`),
    log: (line) => write(`${line}\n`),
  });
  try {
    const served = await sandbox.listen({ port, host });
    write(banner(sandbox, { ...served, host, allowAdmin: more.allowAdmin }));
    if (!stop.aborted) {
      await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
    }
  } finally {
    await sandbox.close();
  }
}

function messageOf(error: unknown): string {
  const { code, port, address, hostname, message } = error as ListenError;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Choose another with --port, or use --port 0 for a free one.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `--host ${address ?? hostname} is not an address of this machine. Use 0.0.0.0 for all of its addresses, or leave out --host.`;
  }
  return message;
}

type ListenError = NodeJS.ErrnoException &
  Partial<Record<'address' | 'hostname' | 'port', string | number>>;
