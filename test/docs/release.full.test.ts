import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../sandbox/support/temporary-folder.ts';
import { codeOf } from '../structure/documents.ts';
import { projectFiles, read, root } from '../structure/project.ts';
import { node, startProgram } from '../support/program.ts';

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

const published = projectFiles()
  .filter((path) => path.endsWith('package.json') && !path.startsWith('test/'))
  .map((path) => JSON.parse(read(path)))
  .filter((manifest) => manifest.private !== true)
  .map(({ name }) => name);

describe('the release', () => {
  it('packs every package that is published', () => {
    const packed = [...(scripts['release:pack'] ?? '').matchAll(/--filter (\S+)/g)];
    expect(packed).toHaveLength(6);
    expect(packed.map(([, name]) => name).sort()).toEqual(published.sort());
  });

  it('needs no secret that the documentation does not name', () => {
    const workflow = read('.github/workflows/release.yml');
    const named = [...workflow.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);
    const needed = new Set(named.filter((name) => name !== 'GITHUB_TOKEN'));
    expect(needed.size).toBe(4);
    const contributing = codeOf(read('.github/CONTRIBUTING.md'));
    for (const name of needed) expect(contributing).toContain(`\`${name}\``);
  });
});

describe('versions', () => {
  const folder = temporaryFolder();

  async function run(command: string, ...args: string[]): Promise<void> {
    const { code, output, errors } = await startProgram(command, args, { cwd: folder() }).ended;
    if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${output}${errors}`);
  }

  const version = async (path: string): Promise<string> =>
    JSON.parse(await readFile(join(folder(), path, 'package.json'), 'utf8')).version;

  /** What changesets reads, under git, without the pending ones, which would raise versions, too. */
  beforeAll(async () => {
    const needed =
      /^\.changeset\/config\.json$|(?:^|\/)package\.json$|CHANGELOG\.md$|version\.|^pnpm-/;
    for (const path of projectFiles().filter((file) => needed.test(file))) {
      await mkdir(dirname(join(folder(), path)), { recursive: true });
      await cp(join(root, path), join(folder(), path));
    }
    const author = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.com'];
    await run('git', 'init', '--quiet', '--initial-branch=main');
    await run('git', 'add', '.');
    await run('git', ...author, 'commit', '--quiet', '--message=Start');
  });

  it('rise for what changed and for what is built on it, and the changelog says it', async () => {
    const words = 'Screens can be listed by venue type.';
    const change = `---\n'@screen-advertising/core': minor\n---\n\n${words}\n`;
    await writeFile(join(folder(), '.changeset/venue-type.md'), change);
    const before = await Promise.all(['shared', 'packages/sandbox'].map(version));
    expect(scripts['release:version']).toMatch(/^changeset version && .*core run version && /);
    await run(node, join(root, 'node_modules/@changesets/cli/bin.js'), 'version');
    await run(node, join(folder(), 'shared/scripts/write-version.mjs'));

    const after = await Promise.all(['shared', 'packages/sandbox'].map(version));
    const [[major, minor] = [], [, , patch] = []] = before.map((one) => one.split('.').map(Number));
    expect(after).toEqual([
      `${major}.${Number(minor) + 1}.0`,
      before[1]?.replace(/\d+$/, String(Number(patch) + 1)),
    ]);
    const source = await readFile(join(folder(), 'shared/src/client/version.ts'), 'utf8');
    expect(source).toContain(`version = '${after[0]}';`);
    const changelog = await readFile(join(folder(), 'shared/CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(new RegExp(`^# Changelog\\n\\n## ${after[0]}\\n[\\s\\S]*${words}`));
  });
});
