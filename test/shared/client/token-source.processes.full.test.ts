import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startRedis } from '../../docs/commands/redis.ts';
import { allBlocks } from '../../docs/commands/typed.ts';
import { root } from '../../structure/project.ts';
import { node, startProgram } from '../../support/program.ts';
import { problem, token } from '../support/steps.ts';
import { useTokenBench } from '../support/token-bench.ts';

const bench = useTokenBench();

/** Gets a screen, and prints when it waits for a token, then every wait in milliseconds. */
const program = (exported: string, store: string) => `
  import { clientCredentials, createClient, nodeTransport } from '@screen-advertising/core';
  import { ${exported} } from './store.ts';
  const [baseUrl, clientId, clientSecret] = process.argv.slice(2);
  const waits = [];
  const { clock } = nodeTransport();
  const sleep = (ms, signal) => {
    if (waits.push(ms) === 1) console.log('waiting');
    return clock.sleep(ms, signal);
  };
  const auth = clientCredentials({ clientId, clientSecret, store: ${store} });
  const client = createClient({ baseUrl, auth, clock: { ...clock, sleep } });
  await client.screens.get({ screenId: 'scr_1' });
  console.log(JSON.stringify(waits));
  process.exit();
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'processes-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(join(root, 'test/node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true }));

async function writeProgram(exported: string, store: string): Promise<void> {
  const block = allBlocks.find(({ text }) => text.includes(`export`) && text.includes(exported));
  await writeFile(join(folder, 'store.ts'), block?.text ?? '');
  await writeFile(join(folder, 'program.ts'), program(exported, store));
}

const argsFor = (clientId: string) => [
  '--conditions=source',
  'program.ts',
  bench.service.baseUrl,
  clientId,
  bench.credentials.clientSecret,
];

it('consecutive processes that share the fileStore of the recipes request one token', async () => {
  await writeProgram('fileStore', 'fileStore(import.meta.dirname)');
  bench.service.on('POST /oauth/token', token('t1'));
  bench.accept('t1');
  for (let process = 0; process < 2; process += 1) {
    // Longer than the name of a file may be.
    const { ended } = startProgram(node, argsFor('c'.repeat(300)), { cwd: folder });
    expect((await ended).errors).toBe('');
  }
  expect(bench.tokenRequests).toHaveLength(1);
  const stored = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}/.test(name));
  expect(stored).toHaveLength(1);
  expect((await stat(join(folder, String(stored[0])))).mode & 0o777).toBe(0o600);
});

it('sixteen cold processes that share the redisStore of the recipes request one token', async () => {
  await writeProgram('redisStore', 'redisStore');
  const processes = 16;
  let waiting = 0;
  let held: (() => void)[] = [];
  // Sends the token only once every other process waits for it, so that all of them start cold.
  const answerOnceAllWait = () => {
    if (waiting + bench.tokenRequests.length < processes) return;
    for (const answer of held) answer();
    held = [];
  };
  bench.service.on('POST /oauth/token', (response, service) => {
    const isLimited = bench.tokenRequests.length > 10;
    const answer = isLimited ? problem(429, { retry_after: 60 }) : token('t1');
    service.hold(response);
    held.push(() => service.release(response, answer));
    answerOnceAllWait();
  });
  bench.accept('t1');

  const args = argsFor(bench.credentials.clientId);
  const env = { REDIS_URL: await startRedis() };
  const ended = Array.from({ length: processes }, () => {
    const { ended, printed } = startProgram(node, args, { cwd: folder, env });
    printed('waiting').then(
      () => {
        waiting += 1;
        answerOnceAllWait();
      },
      () => undefined, // The process that requested the token.
    );
    return ended;
  });
  const all = await Promise.all(ended);

  expect(all.map(({ errors }) => errors).join('')).toBe('');
  expect(bench.tokenRequests).toHaveLength(1);
  expect(bench.callsSent).toHaveLength(processes);
  const waits = all.map(({ output }): number[] => JSON.parse(output.replace('waiting', '')));
  expect(waits.filter((each) => each.length === 0)).toHaveLength(1);
  // Once the token is stored, none waits longer than this.
  expect(Math.max(...waits.flat())).toBeLessThanOrEqual(100);
});
