import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire, SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { splitCommand } from '../docs/commands/split-command.ts';
import type { Variant } from './app/definition.ts';
import { type Service, startService } from './app/zapier.ts';

const require = createRequire(__filename);
const packageFolder = dirname(require.resolve('zapier-screen-advertising/package.json'));
const cli = createRequire(join(packageFolder, 'package.json')).resolve(
  'zapier-platform-cli/src/bin/run',
);
const run = promisify(execFile);

/** Builds both variants, as people do before they use Zapier's commands. */
async function buildApps(): Promise<void> {
  await run(process.execPath, ['scripts/build.ts'], { cwd: packageFolder });
}

/** The one file of a built variant. */
async function builtApp(variant: Variant): Promise<string> {
  return readFile(join(packageFolder, 'build', variant, 'index.js'), 'utf8');
}

/** Runs Zapier's own command line tool in the folder of a built variant; returns its output. */
async function zapierCli(
  variant: Variant,
  args: readonly string[],
  authData: Readonly<Record<string, string>> = {},
): Promise<string> {
  const form = Object.entries(authData).map(([key, value]) => [`authData_${key}`, value]);
  const { stdout } = await run(process.execPath, [cli, ...args], {
    cwd: join(packageFolder, 'build', variant),
    env: {
      ...process.env,
      ...Object.fromEntries(form),
      DISABLE_ZAPIER_ANALYTICS: '1',
      NO_UPDATE_NOTIFIER: '1',
    },
  });
  return stdout;
}

/** Milliseconds; each command starts a separate process. */
const patience = 300_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
  await buildApps();
}, patience);
afterAll(() => service.close());

describe('a built app', () => {
  it.each(['private', 'public'] as const)(
    '%s holds neither a secret nor what it does not need',
    async (variant) => {
      const text = await builtApp(variant);
      const { accesses } = service.sandbox;
      const secrets = accesses.flatMap((one) => [one.apiKey, one.clientSecret, one.signingSecret]);
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      expect(text).not.toMatch(/require\(["']undici|hono|n8n-workflow/);
      expect(text).not.toContain(process.cwd());
    },
  );

  it('has no code for addresses that a person registers where Zapier allows none', async () => {
    expect(await builtApp('private')).toContain('(Manual Setup)');
    expect(await builtApp('public')).not.toContain('(Manual Setup)');
  });
});

it('the source map names the places of a built app, and holds no path of the machine', async () => {
  const message = 'has nothing to do: the coupon';
  const linesBefore = (text: string) => text.slice(0, text.indexOf(message)).split('\n');
  const file = 'src/creates/revoke-coupon.ts';
  const source = linesBefore(await readFile(join(packageFolder, file), 'utf8'));
  const built = linesBefore(await builtApp('public'));
  const map = JSON.parse(await readFile(join(packageFolder, 'build/public/index.js.map'), 'utf8'));
  expect(new SourceMap(map).findOrigin(built.length, built.at(-1)?.length ?? 0)).toMatchObject({
    fileName: `../../${file}`,
    lineNumber: source.length,
  });
  expect(JSON.stringify(map)).not.toContain(process.cwd());
});

describe('the commands in the documents', () => {
  const commands = commandsOf("Zapier's command line").map(({ text }) => text);
  const envFile = /^cat > \S+\/build\/private\/\.env .*/;
  const invocations = commands.filter((text) => text.includes(' zapier invoke '));

  it('builds the app with the script that these tests build it with', () => {
    const builds = commands.filter((text) => text.endsWith(' build'));
    expect(builds.map((text) => scriptOf(text).line)).toContain('node scripts/build.ts');
  });

  it.each(invocations)(
    '%s',
    async (text) => {
      const settings = commands.find((one) => envFile.test(one))?.replace(envFile, '') ?? '';
      expect(scriptOf(text).line).toMatch(/^cd build\/private && zapier-platform invoke /);
      const form = Object.entries(parseEnv(settings)).map(([name, value]) => [
        name.replace('authData_', ''),
        value?.replace('http://127.0.0.1:8787/api/v1', service.baseUrl) ?? '',
      ]);
      const [, args = ''] = text.split(' run zapier ');
      const said = await zapierCli('private', splitCommand(args), Object.fromEntries(form));
      expect(JSON.parse(said)).toBeInstanceOf(Object);
    },
    patience,
  );
});
