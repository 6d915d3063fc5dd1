import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { bundlePackage } from '../../packages/n8n-nodes-screen-advertising/scripts/bundle.mts';
import { startWorld } from './world.ts';

const [{ apiKey, clientSecret, signingSecret }] = createSandbox().accesses;
const secrets = { apiKey, clientSecret, signingSecret };

it('no secret shows in any output, error or log of a run of everything', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'n8n-secrets-'));
  const tokenFile = path.join(folder, 'tokens.json');
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--no-warnings', path.join(__dirname, 'full-run.ts'), tokenFile],
    { env: { ...process.env, N8N_LOG_LEVEL: 'debug' }, maxBuffer: 512 * 1024 * 1024 },
  );
  const tokens = JSON.parse(await readFile(tokenFile, 'utf8')) as string[];
  await rm(folder, { recursive: true });

  expect(stdout).toContain('Running node "Screen Advertising" finished with error');
  expect(stdout).toContain('NodeApiError');
  expect(stdout.match(/exists: true/g)?.length).toBeGreaterThanOrEqual(2);
  expect(tokens.length).toBeGreaterThan(0);
  const printed = stdout + stderr;
  const found = Object.entries({
    ...secrets,
    ...Object.fromEntries(tokens.map((token) => ['token', token])),
  });
  expect(found.filter(([, secret]) => printed.includes(secret))).toEqual([]);
}, 120_000);

it('no built file holds one', async () => {
  for (const [file, text] of await bundlePackage()) {
    const found = Object.values(secrets).filter((secret) => text.includes(secret));
    expect([file, found]).toEqual([file, []]);
  }
});

it.each(['apiKey', 'clientCredentials'])(
  'an error shows no credential of %s, even if the service repeats it',
  async (authentication) => {
    const world = await startWorld();
    const lookUp = { resource: 'user', operation: 'lookUp', email: 'lead@example.com' };
    await world.items({ ...lookUp, authentication });
    const { credentials } = world.engine;
    const { accessToken = '' } = credentials.screenAdvertisingClientCredentialsApi ?? {};
    const sent = authentication === 'apiKey' ? apiKey : String(accessToken);
    const detail = `The token ${sent} was not liked.`;
    world.sandbox.faults.add({ fault: 'status', status: 400, detail });
    const { error } = await world.run({ ...lookUp, authentication });
    await world.stop();
    expect(sent.length).toBeGreaterThan(20);
    expect(`${error?.message} ${error?.description}`).toContain(
      'The token [redacted] was not liked.',
    );
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(sent);
  },
);
