import { dirname, join } from 'node:path';
import { closeAfterTest } from './closing.ts';
import { killPrograms, launch, type Program } from './launch.ts';

export type { Ended, Program } from './launch.ts';

interface ProgramOptions {
  readonly cwd?: string;
  /** In addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The Node version that the project's scripts run on. */
export const node = join(dirname(require.resolve('node/package.json')), 'bin', 'node');

/** Starts a program in its own process, stopped at the end of the test. */
export function startProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: ProgramOptions = {},
): Program {
  closeAfterTest(killPrograms);
  return launch(command, args, {
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  });
}
