import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { Random } from '../../../packages/sandbox/src/random.ts';
import type { Program } from '../../support/program.ts';
import { startCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

jest.setTimeout(1_800_000);

const kills = 50;
const seed = 20261122;
const callers = 8;
const folder = temporaryFolder();
const [{ apiKey }] = createSandbox().accesses;

interface Served {
  readonly program: Program;
  readonly url: string;
}

async function serve(stateFile: string): Promise<Served> {
  const args = ['--port', '0', '--screens', '50', '--rate-limit', '1000000'];
  const program = startCommand([...args, '--state', stateFile]);
  const output = await program.printed('Stop with Ctrl-C.');
  return { program, url: /^Page +(\S+)$/m.exec(output)?.[1] ?? '' };
}

/** What a sandbox holds: coupon codes, with a star when revoked, and users by address. */
async function heldBy({ url }: Served): Promise<Set<string>> {
  const list = async (path: string) => {
    const { data } = await (await fetch(`${url}/_sandbox/${path}`)).json();
    return data as Record<string, unknown>[];
  };
  const coupons = (await list('coupons')).map(({ code, revoked_at }) =>
    revoked_at === null ? String(code) : `${code}*`,
  );
  return new Set([...coupons, ...(await list('users')).map(({ email }) => String(email))]);
}

/** Coupons, some of them revoked, and users. A caller's records depend only on its name. */
async function write({ url }: Served, name: string, acknowledged: (what: string) => void) {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  };
  for (let count = 1; ; count += 1) {
    const code = `${name}-${count}`;
    const lead_email = `${code}@example.com`;
    await post('/api/v1/coupons', {
      discount_type: 'percent',
      discount_value: 5,
      lead_email,
      code,
    });
    acknowledged(code);
    if (count % 3 === 0) {
      await post(`/api/v1/coupons/${code}/revoke`, {});
      acknowledged(`${code}*`);
    }
    if (count % 3 === 1) {
      await post('/_sandbox/users', { email: lead_email });
      acknowledged(lead_email);
    }
  }
}

it(`loses no acknowledged write over ${kills} kills (seed ${seed}), and leaves no file behind`, async () => {
  const random = new Random(seed);
  const own = join(folder(), 'own');
  mkdirSync(own);
  const stateFile = join(own, 'state.json');
  const acknowledged = new Set<string>();
  const lost = new Set<string>();
  const leftBehind = new Set<string>();
  let served = await serve(stateFile);
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = acknowledged.size + random.integer(48, 60);
    const turns = random.integer(0, 40);
    const isEnough = Promise.withResolvers<void>();
    const callersOfRound = Array.from({ length: callers }, (_, caller) =>
      write(served, `K${kill}C${caller}`, (what) => {
        acknowledged.add(what);
        if (acknowledged.size >= enough) isEnough.resolve();
      }).catch((error: Error) => error.message),
    );
    await Promise.race([isEnough.promise, Promise.all(callersOfRound)]);
    // In the middle of the next writes.
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    served.program.kill();
    await served.program.ended;
    expect(await Promise.all(callersOfRound)).toEqual(
      Array(callers).fill(expect.stringMatching(/^(fetch failed|terminated|other side closed)$/)),
    );

    served = await serve(stateFile);
    for (const file of readdirSync(own)) leftBehind.add(file);
    const held = await heldBy(served);
    const isKept = (what: string) => held.has(what) || held.has(`${what}*`);
    for (const what of acknowledged) if (!isKept(what)) lost.add(what);
  }
  served.program.interrupt();
  await served.program.ended;
  expect([...lost]).toEqual([]);
  expect([...leftBehind].sort()).toEqual(['state.json', 'state.json.lock']);
  expect(acknowledged.size).toBeGreaterThanOrEqual(2400);
  expect(readdirSync(own)).toEqual(['state.json']);
});
