import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programOf, run } from './run.ts';

export interface EmptyProject {
  readonly folder: string;
  write(file: string, text: string): void;
  /**
   * Compiles a file of the project with TypeScript's strictest settings, including package
   * declarations, as a server's project has it: without the DOM.
   */
  compile(file: string, module?: 'node16' | 'nodenext'): Promise<void>;
  /** The environment of its programs. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs a file of the project and returns what it printed. */
  node(file: string, ...args: string[]): Promise<string>;
  /** Runs an installed command and returns what it printed. */
  command(name: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
}

/**
 * A user's project with nothing but these packages, installed from their files. Its programs run on
 * this version of Node.js, or on the one that is here.
 */
export async function emptyProject(
  parent: string,
  name: string,
  packages: readonly string[],
  version?: string,
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
  const node = version ? [`node-own@npm:node-${process.platform}-${process.arch}@${version}`] : [];
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  await run('npm', ['install', ...options, ...node, ...packages], folder);
  const own = join(folder, 'node_modules/node-own/bin');
  const env = { ...process.env, PATH: `${own}${delimiter}${process.env.PATH}` };
  const used = await run('node', ['--version'], folder, env);
  if (version && used !== `v${version}\n`) throw new Error(`${name} runs on ${used}`);
  return {
    folder,
    env,
    write,
    async compile(file, module = 'nodenext') {
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
      const target = [
        '--target',
        'es2023',
        '--lib',
        'es2023',
        '--module',
        module,
        '--types',
        'node',
      ];
      await run(programOf('tsc'), [...target, ...strict, '--noEmit', file], folder);
    },
    node: (file, ...args) => run('node', [file, ...args], folder, env),
    command: (command, args, more) =>
      run(join(folder, 'node_modules/.bin', command), args, folder, { ...env, ...more }),
  };
}
