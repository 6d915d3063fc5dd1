import { join } from 'node:path';
import { emptyProject } from '../empty-project.ts';
import type { Tarball } from '../pack.ts';
import { run } from '../run.ts';

export function tryCommandLine(folder: string, core: Tarball, cli: Tarball): void {
  const project = emptyProject(folder, 'cli-consumer', [core.file, cli.file]);
  const command = join(project.folder, 'node_modules/.bin/screen-advertising');
  const help = run(command, ['call', 'screen.list', '--help'], project.folder);
  if (!help.includes('--city')) throw new Error(`The help of the command is:\n${help}`);
}
