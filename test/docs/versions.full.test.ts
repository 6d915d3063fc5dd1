import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../sandbox/support/temporary-folder.ts';
import { projectFiles, read, root } from '../structure/project.ts';
import { node, startProgram } from '../support/program.ts';
import { textsOf } from './commands/kinds.ts';

const folder = temporaryFolder();
const changesets = join(root, 'node_modules/@changesets/cli/bin.js');

async function run(command: string, ...args: string[]): Promise<void> {
  const { code, output, errors } = await startProgram(command, args, { cwd: folder() }).ended;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${output}${errors}`);
}

/**
 * What changesets reads: the packages, their changelogs, and its settings, under git. Pending
 * changesets would raise versions, too.
 */
beforeAll(async () => {
  const files = projectFiles().filter((path) =>
    /^\.changeset\/config\.json$|(?:^|\/)package\.json$|CHANGELOG\.md$|version\.|^pnpm-/.test(path),
  );
  for (const path of files) {
    await mkdir(dirname(join(folder(), path)), { recursive: true });
    await cp(join(root, path), join(folder(), path));
  }
  const author = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.com'];
  await run('git', 'init', '--quiet', '--initial-branch=main');
  await run('git', 'add', '.');
  await run('git', ...author, 'commit', '--quiet', '--message=Start');
});

const version = async (path: string): Promise<string> =>
  JSON.parse(await readFile(join(folder(), path, 'package.json'), 'utf8')).version;

describe('versions', () => {
  it.each(textsOf('changesets'))('%s makes a file that says what is new', async () => {
    const before = await readdir(join(folder(), '.changeset'));
    // The command asks what to write. With an empty changeset, it asks nothing.
    await run(node, changesets, '--empty');
    expect((await readdir(join(folder(), '.changeset'))).length).toBe(before.length + 1);
  });

  it('rise for what changed and for what is built on it, and the changelog says it', async () => {
    const words = 'Screens can be listed by venue type.';
    const change = `---\n'@screen-advertising/core': minor\n---\n\n${words}\n`;
    await writeFile(join(folder(), '.changeset/venue-type.md'), change);
    const before = await Promise.all(['shared', 'packages/sandbox'].map(version));
    const { scripts } = JSON.parse(read('package.json'));
    expect(scripts['release:version']).toMatch(/^changeset version && .*core run version && /);
    await run(node, changesets, 'version');
    await run(node, join(folder(), 'shared/scripts/write-version.mjs'));

    const after = await Promise.all(['shared', 'packages/sandbox'].map(version));
    const [core = '', sandbox = ''] = before;
    expect(after).toEqual([raised(core, 1), raised(sandbox, 2)]);
    const source = await readFile(join(folder(), 'shared/src/client/version.ts'), 'utf8');
    expect(source).toContain(`version = '${after[0]}';`);
    const changelog = await readFile(join(folder(), 'shared/CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(new RegExp(`^# Changelog\\n\\n## ${after[0]}\\n[\\s\\S]*${words}`));
  });
});

/** The next version, with this part incremented. */
function raised(text: string, part: 1 | 2): string {
  return text
    .split('.')
    .map((number, index) => (index < part ? number : index > part ? '0' : `${Number(number) + 1}`))
    .join('.');
}
