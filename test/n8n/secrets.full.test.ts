import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';

const [{ apiKey, clientSecret, signingSecret }] = createSandbox().accesses;
const secrets = { apiKey, clientSecret, signingSecret };

it('a run of everything shows no secret in any output, error or log', async () => {
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
});
