import { posix } from 'node:path';
import { pnpmCommands } from '../../structure/documents.ts';
import { projectFiles, read } from '../../structure/project.ts';

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

export interface Script {
  /** The folder, relative to the root, in which pnpm runs it. */
  readonly folder: string;
  readonly line: string;
}

const manifests = projectFiles()
  .filter((path) => posix.basename(path) === 'package.json')
  .map((path) => ({ folder: posix.dirname(path), manifest: JSON.parse(read(path)) as Manifest }));

/**
 * What pnpm runs for a command, so that a test can do so without pnpm, which accesses the network.
 */
export function scriptOf(text: string): Script {
  const [command] = pnpmCommands(text);
  const { folder, manifest } =
    manifests.find(({ manifest, folder }) =>
      command?.package ? manifest.name === command.package : folder === '.',
    ) ?? {};
  const line = manifest?.scripts?.[command?.script ?? ''];
  if (!command || folder === undefined || line === undefined) throw new Error(`No script: ${text}`);
  const [, rest = ''] = new RegExp(` ${command.script}(?![^ ])(.*)$`, 's').exec(command.text) ?? [];
  return line.startsWith('pnpm ') ? scriptOf(`${line}${rest}`) : { folder, line: `${line}${rest}` };
}

/** What a command of an installed package runs here: the source of its built file. */
export function installed(text: string): Script {
  const [name = '', ...words] = text.split(' ');
  const { folder = '', manifest } =
    manifests.find(({ manifest }) => manifest.bin?.[name] !== undefined) ?? {};
  const source = manifest?.bin?.[name]?.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
  if (source === undefined) throw new Error(`No package has the command ${name}.`);
  const line = `node --conditions=source ${posix.join(folder, source)} ${words.join(' ')}`;
  return { folder: '.', line };
}
