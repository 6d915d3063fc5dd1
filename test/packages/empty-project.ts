import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf, run } from './run.ts';

export interface EmptyProject {
  readonly folder: string;
  write(file: string, text: string): void;
  /**
   * Compiles a file of the project with TypeScript's strictest settings, including package
   * declarations.
   */
  compile(file: string, module?: 'node16' | 'nodenext'): Promise<void>;
  /** Runs a file of the project and returns what it printed. */
  node(file: string): Promise<string>;
}

/** A user's project with nothing but these packages, installed from their files. */
export async function emptyProject(
  parent: string,
  name: string,
  packages: readonly string[],
): Promise<EmptyProject> {
  const folder = join(parent, name);
  mkdirSync(folder);
  // At once: another consumer may read the same file just then, and would find it empty.
  const write = (file: string, text: string) => {
    const path = join(folder, file);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  write('package.json', JSON.stringify({ name, private: true, type: 'module' }));
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', ...packages],
    folder,
  );
  return {
    folder,
    write,
    async compile(file, module = 'nodenext') {
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
      const target = ['--target', 'es2023', '--module', module, '--types', 'node'];
      await run(programOf('tsc'), [...target, ...strict, '--noEmit', file], folder);
    },
    node: (file) => run('node', [file], folder),
  };
}
