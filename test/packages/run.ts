import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

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
