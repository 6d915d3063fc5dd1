import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { packageName } from './n8n.ts';

const run = promisify(execFile);
const source = path.join(__dirname, `../../packages/${packageName}`);

const folder = temporaryFolder();
let tarball: string;
let unpacked: string;

/** The tarball, unpacked into an empty folder beside n8n-workflow, which n8n provides. */
beforeAll(async () => {
  await run('npm', ['pack', '--silent', '--pack-destination', folder()], { cwd: source });
  const packed = (await readdir(folder())).find((name) => name.endsWith('.tgz')) ?? '';
  tarball = path.join(folder(), packed);
  unpacked = path.join(folder(), 'node_modules', packageName);
  await mkdir(unpacked, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  const n8nWorkflow = await realpath(path.join(__dirname, '../node_modules/n8n-workflow'));
  await symlink(n8nWorkflow, path.join(folder(), 'node_modules/n8n-workflow'));
});

it('contains what n8n loads and users read, in at most 110 KB', async () => {
  expect((await stat(tarball)).size).toBeLessThanOrEqual(110_000);
  const files = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'examples', 'package.json'];
  expect((await readdir(unpacked)).sort()).toEqual(files);
});

it('says where to read what is minified', async () => {
  const core = await readFile(path.join(unpacked, 'dist/core.js'), 'utf8');
  expect(core.split('\n')).toContain(
    '// Source: https://github.com/screen-advertising/connectors/tree/main/shared, with zod and lean-qr',
  );
});

it('loads without the core, which waits for its first use, and contains icons and codex files', async () => {
  const script = `
    const { n8n } = require('${packageName}/package.json');
    const path = require('node:path');
    const fs = require('node:fs');
    const shown = [];
    for (const file of [...n8n.nodes, ...n8n.credentials]) {
      const full = require.resolve('${packageName}/' + file);
      const made = new (require(full)[path.basename(file).split('.')[0]])();
      const { icon } = made.description ?? made;
      const files = Object.values(icon).map((at) => path.resolve(path.dirname(full), at.replace('file:', '')));
      if (made.description) files.push(full.replace(/js$/, 'json'));
      shown.push([(made.description ?? made).name, files.every((at) => fs.existsSync(at))]);
    }
    const core = Object.keys(require.cache).filter((file) => file.endsWith('dist/core.js') && file.includes('${packageName}'));
    console.log(JSON.stringify({ shown, core }));`;
  const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder() });
  const { shown, core } = JSON.parse(stdout);
  expect(core).toEqual([]);
  expect(shown).toHaveLength(7);
  expect(shown.filter(([, hasAll]: [string, boolean]) => !hasAll)).toEqual([]);
});
