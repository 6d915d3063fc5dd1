import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { node, startProgram } from '../support/program.ts';
import { sampleOf } from '../support/tier.ts';
import { additions, apply, copyProject } from './extending-guide.ts';

let project = '';
beforeAll(() => {
  project = copyProject();
}, 600_000);
afterAll(() => rmSync(project, { recursive: true }));

let undo = () => {};
afterEach(() => {
  undo();
  undo = () => {};
});

/** What a program in the copy prints. */
async function run(folder: string, ...args: string[]): Promise<string> {
  const cwd = join(project, folder);
  // In the folder where this run keeps its own, paths would be too long for the socket of a PostgreSQL.
  const env = { TEST_TIER: 'full', TEMPORARY_FOLDER_OF_TESTS: '', TMPDIR: '' };
  const { output, errors } = await startProgram(node, args, { cwd, env }).ended;
  return `${output}${errors}`;
}

/** The compiler's errors for a package of the copy; empty if there are none. */
const typeErrors = (folder: string) =>
  run(folder, join(project, 'node_modules/typescript/bin/tsc'));

/** The names of the copy's failing tests. */
async function failures(...paths: string[]): Promise<string[]> {
  const jest = join(project, 'test/node_modules/jest/bin/jest.js');
  const said = await run('test', jest, '-w', '1', '--json', '--testPathPatterns', ...paths);
  const { testResults } = JSON.parse(/^\{.*\}$/m.exec(said)?.[0] ?? '{}') as {
    testResults: { assertionResults: { status: string; fullName: string }[]; message: string }[];
  };
  expect(testResults).toHaveLength(paths.length);
  return testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length > 0
      ? assertionResults.filter(({ status }) => status !== 'passed').map((one) => one.fullName)
      : [message],
  );
}

const all = [...additions.operation, ...additions.event];

/** What names a piece that is missing; default: the name of its file. Of rows, a test that fails. */
const named: Readonly<Record<string, readonly [what: string, test?: string]>> = {
  // Of a scope or an event that is not listed, the compiler shows the value.
  'operation.ts': ['campaigns:write'],
  'events.ts': ['campaign.ended'],
  'responses.test.ts': [
    'cover all statuses of the document',
    'test/sandbox/openapi/responses.test',
  ],
  'tools.test.ts': ['has every entry of the catalogue', 'test/mcp/tools.test'],
  'definition.test.ts': [
    'the fields that only Zapier has keep their labels',
    'test/zapier/definition.test',
  ],
  'README.md': ['the readme', 'test/sandbox/readme.test'],
};

/** That they work with all pieces proves packages/tools/docs/prove-guide.ts. */
describe('additions as the guide for developers says', () => {
  it.each(sampleOf(all, 2))(
    'without $path the compiler or a test names what is missing',
    async (piece) => {
      undo = apply(
        project,
        all.filter((other) => other !== piece),
      );
      await run(
        'packages/tools',
        '--conditions=source',
        '--no-warnings',
        'docs/write.ts',
        '--quick',
      );
      const file = basename(piece.path);
      const [missing, ofRows] = named[file] ?? [file];
      const errors = [await typeErrors('shared'), await typeErrors('packages/sandbox')];
      const tests = ['test/shared/catalogue/operations.test', ...(ofRows ? [ofRows] : [])];
      expect([...errors, ...(await failures(...tests))].join('\n')).toContain(missing);
    },
  );

  it('without the handler of an operation of the relay, the compiler names it', async () => {
    undo = apply(
      project,
      additions.relay.filter(({ path }) => !path.endsWith('handlers.ts')),
    );
    expect(await typeErrors('packages/relay')).toContain('subscriptions.dead');
  });
});
