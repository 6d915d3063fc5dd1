import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { type Differences, onRuntimes } from '../../../shared/transport/law/differences.ts';
import { expectedOf, openTable, type Table } from '../../../shared/transport/law/table.ts';
import { type EmptyProject, emptyProject } from '../../empty-project.ts';
import { root, run } from '../../run.ts';
import type { Tarball } from '../../tarball.ts';
import { type Consumer, installed } from './consumer.ts';
import { nodeOf } from './runtimes.ts';

type Runtime = keyof typeof onRuntimes;

const runner = stripTypeScriptTypes(
  readFileSync(join(root, 'test/shared/transport/law/outcome.ts'), 'utf8'),
);
const core = '@screen-advertising/core';
const program = `
import { nodeTransport } from '${core}';
import { fetchTransport } from '${core}/fetch';
import { undiciTransport } from '${core}/undici';
${runner}
const make = { node: nodeTransport, fetch: fetchTransport, undici: undiciTransport };
const outcomes = {};
for (const [name, requests] of Object.entries(JSON.parse(process.argv[2]))) {
  outcomes[name] = await outcomesOf(make[name](), requests);
}
console.log(JSON.stringify(outcomes));
process.exit();
`;

/** Throws with the cases that a runtime does not treat as it should. */
async function checkLaw(
  differences: Readonly<Record<string, Differences>>,
  send: (given: string) => Promise<string>,
): Promise<void> {
  const { rows, close } = await openTable();
  const expected = Object.entries(differences).map(
    ([name, known]) => [name, rows.map((row) => expectedOf(row, known))] as const,
  );
  const fetched = rows.map(({ url }) => ({ url, timeoutMs: 2000 }));
  const given = { ...Object.fromEntries(expected), fetch: fetched };
  const outcomes = JSON.parse(await send(JSON.stringify(given)));
  await close();
  const wrong = expected.flatMap(([name, requests]) =>
    requests.flatMap(({ outcome }, nth) => {
      const found = outcomes[name][nth];
      return outcome.split(' or ').includes(found)
        ? []
        : [`${name}, ${rows[nth]?.name}: ${found}, not ${outcome}`];
    }),
  );
  wrong.push(...wrongOfFetch(rows, outcomes.fetch));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

const usual = ['a length that is right', 'chunks', 'gzip', 'nothing, then a reset'];

/**
 * Each runtime's own `fetch` reads odd responses in its own way. But what is usual it must read, and
 * a request that arrived must never count as not sent: a change would be sent again.
 */
function wrongOfFetch(rows: Table['rows'], outcomes: readonly string[]): string[] {
  return rows.flatMap(({ name, law }, nth) => {
    const found = outcomes[nth] ?? 'nothing';
    const isAllowed = usual.includes(name)
      ? found === law
      : /^\d{3} |, sent: maybe/.test(found) || (/sent: no/.test(found) && /sent: no/.test(law));
    return isAllowed ? [] : [`fetch, ${name}: ${found}, not ${law}`];
  });
}

/** Sends the requests of the transports' table with the packed core on each runtime. */
export function lawConsumers({ file }: Tarball): Readonly<Record<string, Consumer>> {
  const on = (
    runtime: Runtime,
    packages: readonly string[],
    send: (project: EmptyProject, given: string) => Promise<string>,
  ): [string, Consumer] => {
    const use = (project: EmptyProject) =>
      checkLaw(onRuntimes[runtime], (given) => send(project, given));
    return [`the law of transports on ${runtime}`, { packages, use }];
  };
  const with8 = (runtime: Runtime, name: string, pattern: string, ...args: readonly string[]) =>
    on(runtime, [name], (project, given) => {
      project.write('law.mjs', program);
      return run(installed(project, pattern), [...args, 'law.mjs', given], project.folder);
    });
  const with7 = (runtime: Runtime, version: string) => {
    const [name, pattern] = nodeOf(version);
    return on(runtime, [name], async (project, given) => {
      const packages = [file, 'undici@7.30.2'];
      const { folder, write } = await emptyProject(project.folder, `7-on-${version}`, packages);
      write('law.mjs', program);
      return await run(installed(project, pattern), ['law.mjs', given], folder);
    });
  };
  return Object.fromEntries([
    with8('Node.js 20.19.6', ...nodeOf('20.19.6')),
    with8('Node.js 22.23.3', ...nodeOf('22.23.3')),
    with8('Node.js 24.21.0', ...nodeOf('24.21.0')),
    with7('Node.js 20.18.1 with undici 7', '20.18.1'),
    with7('Node.js 24.21.0 with undici 7', '24.21.0'),
    with8('Bun 1.4.5', 'bun@1.4.5', '@oven/bun-*/bin/bun'),
    with8('Deno 2.9.6', 'deno@2.9.6', '@deno/*/deno', 'run', '--allow-all'),
  ]);
}
