import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { splitCommand } from '../docs/commands/split-command.ts';
import { connectionForm } from './app/connection.ts';
import { type Service, startService } from './app/service.ts';
import { buildApps, builtApp, zapierCli } from './app/zapier-cli.ts';

/** Milliseconds; each command starts a separate process. */
const patience = 60_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
  await buildApps();
}, patience);
afterAll(() => service.close());

async function invoke(...args: string[]): Promise<unknown> {
  const form = connectionForm(service.baseUrl, service.credentialsOf('API key', 'full'));
  return JSON.parse(await zapierCli('private', ['invoke', ...args, '--non-interactive'], form));
}

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
    expect(await builtApp('private')).toContain('(Without Relay)');
    expect(await builtApp('public')).not.toContain('(Without Relay)');
  });
});

describe('zapier-platform', () => {
  it.each(['private', 'public'] as const)(
    'validate accepts the %s variant',
    async (variant) => {
      const said = await zapierCli(variant, ['validate', '--without-style']);
      expect(said).toContain('No structural errors found during validation routine.');
    },
    patience,
  );

  it(
    'invoke auth test makes the connection',
    async () => {
      expect(await invoke('auth', 'test')).toEqual({
        connection: new URL(service.baseUrl).host,
      });
    },
    patience,
  );

  it(
    'invoke runs a create',
    async () => {
      const coupon = {
        discount_type: 'percent',
        discount_value: '25',
        lead_email: 'lead@example.com',
        code: 'SPRING-25',
      };
      const input = ['--inputData', JSON.stringify(coupon)];
      expect(await invoke('create', 'create_coupon', ...input)).toMatchObject({
        code: 'SPRING-25',
        discount_value: 25,
      });
    },
    patience,
  );

  it(
    'invoke runs a search, and reads days as people write them',
    async () => {
      const page = await invoke('search', 'find_screen', '--inputData', '{"city":"Berlin"}');
      const [screen] = (page as { results: { id: string }[] }).results;
      const input = { screenId: screen?.id, from: '2027-03-01', to: '2027-03-31' };
      const found = await invoke(
        'search',
        'get_screen_availability',
        '--inputData',
        JSON.stringify(input),
      );
      expect(found).toMatchObject([
        { screen_id: screen?.id, from: '2027-03-01', to: '2027-03-31' },
      ]);
    },
    patience,
  );

  it(
    'invoke runs a trigger',
    async () => {
      const input = ['--inputData', '{"industry":"retail"}'];
      const found = await invoke('trigger', 'new_campaign_request', ...input);
      expect(found).toContainEqual(expect.objectContaining({ industry: 'retail' }));
    },
    patience,
  );
});

describe('the commands in the documents', () => {
  const commands = commandsOf("Zapier's command line").map(({ text }) => text);
  const envFile = /^cat > \S+\/build\/private\/\.env .*/;
  const invocations = commands.filter((text) => text.includes(' zapier invoke '));

  // Removes what the earlier tests made, which a reader of the documents would not have.
  beforeAll(() => service.sandbox.reset());

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
