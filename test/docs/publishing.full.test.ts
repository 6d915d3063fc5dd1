import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { codeOf, pnpmCommands } from '../structure/documents.ts';
import { projectFiles, read } from '../structure/project.ts';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly repository?: { readonly directory?: string };
  readonly homepage?: string;
  readonly bugs?: { readonly url?: string };
  readonly author?: unknown;
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
}

const published = projectFiles()
  .filter((path) => posix.basename(path) === 'package.json' && !path.startsWith('test/'))
  .map((path) => ({ path, manifest: JSON.parse(read(path)) as Manifest }))
  .filter(({ manifest }) => manifest.private !== true);

const workflow = read('.github/workflows/release.yml');
const contributing = read('.github/CONTRIBUTING.md');

describe('what is published', () => {
  it('is the core, the command line, the MCP server, the relay and the sandbox; the n8n package has a separate repository', () => {
    expect(published.map(({ manifest }) => manifest.name).sort()).toEqual([
      '@screen-advertising/cli',
      '@screen-advertising/core',
      '@screen-advertising/mcp',
      '@screen-advertising/relay',
      '@screen-advertising/sandbox',
    ]);
  });

  it.each(published)('$manifest.name says what it is and where it comes from', (item) => {
    const { manifest, path } = item;
    expect(manifest).toMatchObject({
      license: 'MIT',
      description: expect.stringMatching(/\w+ \w+ \w+/),
      author: expect.anything(),
      homepage: expect.stringContaining(posix.dirname(path)),
      bugs: { url: expect.stringMatching(/\/issues$/) },
      repository: { directory: posix.dirname(path) },
      files: expect.arrayContaining(['dist']),
    });
    expect(manifest.keywords?.length).toBeGreaterThan(3);
    expect(projectFiles()).toContain(posix.join(posix.dirname(path), 'README.md'));
  });
});

describe('the release', () => {
  it('runs scripts that exist', () => {
    const { scripts = {} }: Manifest = JSON.parse(read('package.json'));
    const commands = pnpmCommands(workflow).filter((command) => !command.package);
    expect(commands.map(({ script }) => script)).toEqual(
      expect.arrayContaining(['release:version', 'release:pack']),
    );
    for (const { script } of commands) expect(scripts).toHaveProperty([script]);
  });

  it("uploads with Zapier's command line of the lockfile, which the app is tested with", () => {
    const { devDependencies }: { devDependencies: Readonly<Record<string, string>> } = JSON.parse(
      read('packages/zapier-screen-advertising/package.json'),
    );
    expect(devDependencies['zapier-platform-cli']).toMatch(/^\d+\.\d+\.\d+$/);
    expect(workflow).toContain('node_modules/.bin/zapier-platform upload');
    expect(workflow).not.toContain('zapier-platform-cli');
  });

  it('packs every package that is published', () => {
    const { scripts = {} }: Manifest = JSON.parse(read('package.json'));
    const packed = [...(scripts['release:pack'] ?? '').matchAll(/--filter (\S+)/g)];
    expect(packed.map(([, name]) => name).sort()).toEqual(
      published.map(({ manifest }) => manifest.name).sort(),
    );
  });

  it('needs no secret that the documentation does not name', () => {
    const named = [...workflow.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);
    const needed = new Set(named.filter((name) => name !== 'GITHUB_TOKEN'));
    expect(needed.size).toBe(4);
    for (const name of needed) expect(codeOf(contributing)).toContain(`\`${name}\``);
  });
});
