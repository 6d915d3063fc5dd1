import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { writePublicRepository } from '../../packages/n8n-nodes-screen-advertising/scripts/public-repository.mts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let files: string[];

beforeAll(async () => {
  await writePublicRepository(folder());
  files = await readdir(folder(), { recursive: true });
});

const read = async (file: string) => await readFile(path.join(folder(), file), 'utf8');
const json = async (file: string) => JSON.parse(await read(file)) as Record<string, unknown>;

describe('the public repository of the n8n node', () => {
  it('is not part of a monorepo: no folder in its package.json, nothing of a workspace', async () => {
    const manifest = await json('package.json');
    expect(manifest.repository).toEqual({
      type: 'git',
      url: 'git+https://github.com/screen-advertising/n8n-nodes-screen-advertising.git',
    });
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:|"directory"|"private"/);
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
  });

  it('builds with the versions of its lockfile, after its lint', async () => {
    const workflow = await read('.github/workflows/publish.yml');
    const steps = [...workflow.matchAll(/- run: (.*)/g)].map(([, step = '']) => step);
    expect(steps.slice(0, 3)).toEqual([
      expect.stringMatching(/^npx -y pnpm@[\d.]+ install --frozen-lockfile --ignore-scripts$/),
      expect.stringMatching(/^npx -y pnpm@[\d.]+ run lint$/),
      'node scripts/build.mts',
    ]);
    expect((await json('package.json')).scripts).toMatchObject({ lint: 'n8n-node lint' });
  });

  it('holds the source of everything that n8n loads', async () => {
    const { n8n } = await json('package.json');
    const { nodes, credentials } = n8n as { nodes: string[]; credentials: string[] };
    const sources = [...nodes, ...credentials].map((file) =>
      file.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
    );
    expect(sources).toHaveLength(7);
    expect(files).toEqual(expect.arrayContaining([...sources, 'LICENSE', 'README.md', 'icons']));
  });

  it('has the version of the trigger that the examples use', async () => {
    const trigger = await read('nodes/ScreenAdvertisingTrigger/ScreenAdvertisingTrigger.node.ts');
    const [, offered = ''] = /\n\t\tversion: (.*),/.exec(trigger) ?? [];
    const used = await Promise.all(
      files.filter((file) => /^examples\/.*\.json$/.test(file)).map(read),
    );
    const versions = used.flatMap((text) =>
      [...text.matchAll(/"[\w-]+\.screenAdvertisingTrigger",\s*"typeVersion": ([\d.]+)/g)].map(
        ([, found]) => found,
      ),
    );
    expect([...new Set(versions)]).toEqual([offered]);
  });
});
