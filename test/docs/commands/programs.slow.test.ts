import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { defaultPort } from '../../../packages/sandbox/src/cli/program.ts';
import { start } from '../../sandbox/support/running-sandbox.ts';
import { root } from '../../structure/project.ts';
import { node, startProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Example, examples } from './examples.ts';
import { allBlocks } from './typed.ts';

/**
 * Pieces of files rather than programs: of an operation that does not exist.
 * test/docs/extending.test.ts tests those of docs/extending.md.
 */
const documentsOfPieces = ['docs/extending.md', 'test/README.md'];
const pieces = allBlocks.filter(({ document }) => documentsOfPieces.includes(document));

const programs = allBlocks.filter((block) => block.language === 'ts' && !pieces.includes(block));

/**
 * The port in the documents may be taken here, so connections to it are redirected to the test's
 * sandbox.
 */
const ports = `
  import { Socket } from 'node:net';
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...given) {
    for (const one of given.flat()) {
      if (one && String(one.port) === '${defaultPort}') one.port = process.env.PORT_OF_TEST;
    }
    return connect.apply(this, given);
  };
`;

const folder = temporaryFolder();
beforeAll(async () => {
  await writeFile(join(folder(), 'package.json'), '{"type":"module"}');
  await symlink(join(root, 'test/node_modules'), join(folder(), 'node_modules'));
  await symlink(join(root, 'node_modules/@types'), join(folder(), '@types'));
  await writeFile(join(folder(), 'ports.mjs'), ports);
  for (const file of ['receivers.ts', 'redis.ts'])
    await copyFile(join(import.meta.dirname, file), join(folder(), file));
});

describe('the programs in the documents', () => {
  it('all run', () => {
    const without = programs.filter(
      (one) =>
        !examples.some(
          ({ document, holds }) => document === one.document && one.text.includes(holds),
        ),
    );
    expect(without).toEqual([]);
  });

  it('start, in the core, with one of at most six lines', () => {
    const [first] = programs.filter(({ document }) => document === 'shared/README.md');
    expect(first?.text).toContain('createClient({');
    expect(first?.text.trim().split('\n').length).toBeLessThanOrEqual(6);
  });

  it('compile', async () => {
    const files = examples.map((example, at) => ({ name: `compiled-${at}.ts`, example }));
    const access = { baseUrl: '', full: { clientId: '', clientSecret: '' } };
    for (const { name, example } of files)
      await writeFile(join(folder(), name), textOf(example, access));
    await writeFile(join(folder(), 'tsconfig.json'), projectOf(files.map(({ name }) => name)));
    const types = await startProgram(node, [tsc, '-p', folder()]).ended;
    expect(types).toEqual({ code: 0, output: '', errors: '' });
  });

  it.each(examples)('$document, $holds', async (example) => {
    const { baseUrl, full } = await start();
    const file = `${examples.indexOf(example)}.ts`;
    // Redis itself does not come from npm.
    const text = textOf(example, { baseUrl, full }).replace("from 'redis'", "from './redis.ts'");
    await writeFile(join(folder(), file), text);
    const ran = await startProgram(node, ['--conditions=source', '--import=./ports.mjs', file], {
      cwd: folder(),
      env: { PORT_OF_TEST: new URL(baseUrl).port },
    }).ended;
    expect(ran).toMatchObject({ code: 0, errors: expect.stringMatching(example.warns ?? /^$/) });
    expect(ran.output).toMatch(example.prints);
  });
});

interface Access {
  readonly baseUrl: string;
  readonly full: { readonly clientId: string; readonly clientSecret: string };
}

/** The program with what surrounds it, for this access instead of the document's. */
function textOf(
  { document, holds, needs, before = '', after = '' }: Example,
  { baseUrl, full }: Access,
): string {
  const blocks = [needs, holds].map((text) => {
    const found = programs.filter(
      (one) => one.document === document && one.text.includes(text ?? ''),
    );
    expect(text === undefined || found.length === 1).toBe(true);
    return text === undefined ? '' : found[0]?.text;
  });
  return `${before}\n${blocks.join('\n')}\n${after}\n`
    .replace('https://service.example/api/v1', baseUrl)
    .replace("clientId: '...'", `clientId: '${full.clientId}'`)
    .replace("clientSecret: '...'", `clientSecret: '${full.clientSecret}'`)
    .replace("baseUrl: 'https://relay.example'", 'baseUrl: relayUrl')
    .replace('listen(9000', 'listen(0')
    .replace("connectorKey: 'rly_...'", 'connectorKey');
}

const tsc = join(root, 'node_modules/typescript/bin/tsc');

function projectOf(files: readonly string[]): string {
  const compilerOptions = {
    typeRoots: [join(folder(), '@types')],
    types: ['node'],
    noUnusedLocals: false,
    moduleDetection: 'force',
  };
  return JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files });
}
