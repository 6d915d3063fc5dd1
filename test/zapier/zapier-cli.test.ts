import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectionForm } from './app/connection.ts';
import { type Service, startService } from './app/service.ts';
import { buildApps, builtApp, zapierCli } from './app/zapier-cli.ts';

/** Milliseconds; each command starts a process of its own. */
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

  it('has no code for webhooks where Zapier allows none', async () => {
    expect(await builtApp('private')).toContain('x-service-signature');
    expect(await builtApp('public')).not.toContain('x-service-signature');
  });
});

describe('zapier-platform', () => {
  it.each(['private', 'public'] as const)(
    'validate finds nothing wrong with the %s variant',
    async (variant) => {
      const said = await zapierCli(variant, ['validate', '--without-style']);
      expect(said).toContain('No structural errors found during validation routine.');
    },
    patience,
  );

  it(
    'invoke auth test makes the connection',
    async () => {
      expect(await invoke('auth', 'test')).toEqual({ connection: 'API key' });
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
      const page = await invoke('search', 'find_screen', '--inputData', '{}');
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
      const input = ['--inputData', '{"status":"rejected"}'];
      const found = await invoke('trigger', 'campaign_request_status_changed', ...input);
      expect(found).toContainEqual(expect.objectContaining({ status: 'rejected' }));
    },
    patience,
  );
});
