import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '../..');

const programs = {
  attw: 'test/node_modules/.bin/attw',
  publint: 'test/node_modules/.bin/publint',
  tsc: 'node_modules/.bin/tsc',
};

/** A program that the workspace depends on. */
export function programOf(name: keyof typeof programs): string {
  return join(root, programs[name]);
}

/** So long that only a program that hangs takes it. */
const maxMs = 600_000;

/**
 * Runs a program and returns its output. The error of a failed program contains all of its output.
 */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, timeout: maxMs, maxBuffer: 2 ** 26 };
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`);
  }
}

/** What a program says, also if it fails. */
export function outputOf(
  program: string,
  args: readonly string[],
  {
    input = '',
    ...options
  }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const done = (_: unknown, stdout: string, stderr: string) => resolve({ stdout, stderr });
    execFile(program, args, { timeout: maxMs, ...options }, done).stdin?.end(input);
  });
}
