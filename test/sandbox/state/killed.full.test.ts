import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { Random } from '../../../packages/sandbox/src/random.ts';
import { startCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

jest.setTimeout(1_800_000);

const kills = 20;
const seed = 20261122;
const callers = 8;
const folder = temporaryFolder();
const [{ apiKey }] = createSandbox().accesses;
const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

async function serve(stateFile: string) {
  const args = ['--port', '0', '--screens', '50', '--rate-limit', '1000000'];
  const program = startCommand([...args, '--state', stateFile]);
  const output = await program.printed('Stop with Ctrl-C.');
  return { program, url: /^Page +(\S+)$/m.exec(output)?.[1] ?? '' };
}

/** What a sandbox holds: coupon codes, with a star when revoked. */
async function heldBy(url: string): Promise<Set<string>> {
  const { data } = await (await fetch(`${url}/_sandbox/coupons`)).json();
  return new Set(
    data.flatMap(({ code, revoked_at }: { code: string; revoked_at: string | null }) =>
      revoked_at === null ? [code] : [code, `${code}*`],
    ),
  );
}

/** Creates coupons and revokes every third until the sandbox is gone. */
async function write(url: string, name: string, acknowledged: (what: string) => void) {
  const post = async (path: string, body: object) => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/v1/coupons${path}`, init);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  };
  for (let count = 1; ; count += 1) {
    const code = `${name}-${count}`;
    const discount = { discount_type: 'percent', discount_value: 5 };
    await post('', { ...discount, lead_email: `${code}@example.com`, code });
    acknowledged(code);
    if (count % 3 > 0) continue;
    await post(`/${code}/revoke`, {});
    acknowledged(`${code}*`);
  }
}

it(`loses no acknowledged write over ${kills} kills (seed ${seed}), and leaves no file behind`, async () => {
  const random = new Random(seed);
  const own = join(folder(), 'own');
  mkdirSync(own);
  const stateFile = join(own, 'state.json');
  const acknowledged = new Set<string>();
  const lost = new Set<string>();
  const files = new Set<string>();
  let { program, url } = await serve(stateFile);
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = acknowledged.size + random.integer(48, 60);
    const isEnough = Promise.withResolvers<void>();
    const writing = Array.from({ length: callers }, (_, caller) =>
      write(url, `K${kill}C${caller}`, (what) => {
        acknowledged.add(what);
        if (acknowledged.size >= enough) isEnough.resolve();
      }).catch((error: Error) => error.message),
    );
    await Promise.race([isEnough.promise, Promise.all(writing)]);
    // In the middle of the next writes.
    for (let turns = random.integer(0, 40); turns > 0; turns -= 1) await setImmediate();
    program.kill();
    await program.ended;
    expect(await Promise.all(writing)).toEqual(
      Array(callers).fill(expect.stringMatching(/^(fetch failed|terminated|other side closed)$/)),
    );

    ({ program, url } = await serve(stateFile));
    for (const file of readdirSync(own)) files.add(file);
    const held = await heldBy(url);
    for (const what of acknowledged) if (!held.has(what)) lost.add(what);
  }
  program.interrupt();
  await program.ended;
  expect([...lost]).toEqual([]);
  expect([...files]).toEqual(['state.json']);
  expect(acknowledged.size).toBeGreaterThanOrEqual(kills * 48);
  expect(readdirSync(own)).toEqual(['state.json']);
});
