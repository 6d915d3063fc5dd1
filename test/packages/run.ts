import { execFile, execFileSync } from 'node:child_process';
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

/**
 * Runs a program and returns its output. The error of a failed program contains all of its output.
 */
export function run(program: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(program, args, {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 64 * 2 ** 20,
    });
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`);
  }
}

/** Like `run`, without blocking the server that the program calls. */
export async function runBeside(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, timeout: 120_000 };
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`);
  }
}
