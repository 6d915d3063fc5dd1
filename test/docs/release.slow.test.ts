import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../structure/documents.ts';
import { projectFiles, read } from '../structure/project.ts';

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

const published = projectFiles()
  .filter((path) => path.endsWith('package.json') && !path.startsWith('test/'))
  .map((path) => JSON.parse(read(path)))
  .filter((manifest) => manifest.private !== true)
  .map(({ name }) => name);

describe('the release', () => {
  it('packs every package that is published', () => {
    const packed = [...(scripts['release:pack'] ?? '').matchAll(/--filter (\S+)/g)];
    expect(packed.length).toBeGreaterThan(0);
    expect(packed.map(([, name]) => name).sort()).toEqual(published.sort());
  });

  it('needs no secret that the documentation does not name', () => {
    const workflow = read('.github/workflows/release.yml');
    const named = [...workflow.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);
    const needed = new Set(named.filter((name) => name !== 'GITHUB_TOKEN'));
    expect(needed.size).toBeGreaterThan(0);
    const contributing = codeOf(read('.github/CONTRIBUTING.md'));
    for (const name of needed) expect(contributing).toContain(`\`${name}\``);
  });
});
