import { execFileSync } from 'node:child_process';

/**
 * Runs a program and returns its output. The error of a failed program contains all of its output.
 */
export function run(program: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`);
  }
}
