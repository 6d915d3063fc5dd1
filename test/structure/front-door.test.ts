import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { entries, exportedBy, isDocumented, isNeeded, namesUsed } from './front-door.ts';
import { read, root } from './project.ts';

const { '': main = '', '/fetch': fetch = '', '/undici': undici = '', ...subpaths } = entries();
const lists = Object.entries({ '': main, ...subpaths }).flatMap(([subpath, entry]) =>
  exportedBy(entry).map((exported) => ({ subpath, ...exported })),
);

describe('the core', () => {
  it('exports only by lists of names, each name from one place', () => {
    for (const entry of [main, ...Object.values(subpaths)]) {
      const rest = read(entry)
        .replace(/^export (?:type )?\{[^}]*\} from '[^']+';$/gm, '')
        // The interfaces of the catalogue and of events.
        .replace(/^export type \* from '\.{1,2}\/(?:types|webhooks)\/[^']+';$/gm, '');
      expect([entry, rest.replace(/\/\*\*.*\*\/|\s/g, '')]).toEqual([entry, '']);
    }
    const names = lists.map(({ name }) => name);
    expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
  });

  it('documents every name', () => {
    const bare = lists.filter(({ name, source }) => !isDocumented(read(source), name));
    expect(bare.map(({ name, source }) => `${name} in ${source} has no docstring`)).toEqual([]);
    for (const entry of [fetch, undici]) {
      expect(read(entry).match(/(?<!\*\/\n)^export (?!\{)/gm)).toBeNull();
    }
  });

  it('exports only values that are used or shown in its README, and the types they need', () => {
    const used = namesUsed();
    const idle = lists.filter(
      ({ name, source }) => !used.has(name) && !isNeeded({ name, source }, lists),
    );
    expect(
      idle.map(({ name, subpath }) => `${name} of @screen-advertising/core${subpath}`),
    ).toEqual([]);
  });
});

/** The files of the core, and the packages, in a bundle of these lines. */
async function costOf(contents: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: join(root, 'test') },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    logLevel: 'silent',
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

describe('import { verifyWebhook }', () => {
  it('bundles the webhooks, the events they name, and nothing else', async () => {
    const line = "export { verifyWebhook } from '@screen-advertising/core';";
    const cost = await costOf(line);
    expect(cost).toContain('shared/src/webhooks/verify-signature.ts');
    const own = /^shared\/src\/(?:webhooks\/|errors\/|json\.ts$|catalogue\/events\.ts$)/;
    expect(cost.filter((path) => !own.test(path))).toEqual([]);
  });

  it('would show up if it bundled a client', async () => {
    const cost = await costOf("export { createClient } from '@screen-advertising/core';");
    expect(cost).toEqual(
      expect.arrayContaining([
        'shared/src/client/client.ts',
        'shared/src/transport/node/http-transport.ts',
      ]),
    );
  });
});
