import { describe, expect, it } from '@jest/globals';
import { exitCodeMeanings } from '../../packages/cli/src/exit-code.ts';
import { type Running, start } from '../sandbox/support/running-sandbox.ts';
import { errorCodes } from '../support/error-codes.ts';
import { environment, typed } from './command.ts';

const typedCall = (service: Running, ...args: string[]) =>
  typed(['call', ...args], environment(service.baseUrl, service.full));

describe('a failed call says why on the error output and has its own exit code', () => {
  it.each<[number, string, string[]]>([
    [2, 'Get Screen was not sent: screenId is required.', ['screen.get']],
    [2, "error: unknown option '--api-key'", ['screen.list', '--api-key=svc_secret']],
    [2, 'error: unknown option\n', ['screen.list', '--svc_secret']],
    [2, 'error: unknown command\n', ['svc_secret']],
    [2, "error: unknown command 'coupon.creat'\n(Did you mean coupon.create?)\n", ['coupon.creat']],
    [2, "error: unknown option '--leadEmail'\n", ['coupon.create', '--leadEmail=svc_secret']],
    [
      2,
      "error: unknown option '--lead_mail'\n(Did you mean --lead_email?)",
      ['coupon.create', '--lead_mail'],
    ],
    [2, 'argument is invalid. It must be name=value', ['landingLink.create', '--field=svc_secret']],
    [
      2,
      'Create Coupon was not sent: lead_metadata must be valid JSON, such as {"crm_id": "42"}, not',
      ['coupon.create', '--lead_metadata={svc_secret'],
    ],
    [
      2,
      'Create Coupon was not sent: discount_value must be a plain number such as 25 or 12.5, without units, spaces, or thousands separators, not "x".',
      [
        'coupon.create',
        '--discount_type=percent',
        '--discount_value=x',
        '--lead_email=a@example.com',
      ],
    ],
    [4, 'Get Screen failed: not found (404).', ['screen.get', '--screenId=none']],
  ])('%i: %s', async (code, words, args) => {
    const { code: ended, output, errors } = await typedCall(await start(), ...args);
    expect({ ended, output }).toEqual({ ended: code, output: '' });
    expect(errors).toContain(words);
    expect(errors).not.toContain('svc_secret');
  });

  it.each<[number, string, Record<string, string>]>([
    [3, 'Set SCREEN_ADVERTISING_BASE_URL to the address that ends in /api/v1.', {}],
    [3, 'Set SCREEN_ADVERTISING_API_KEY, or', { BASE_URL: 'http://127.0.0.1:1/api/v1' }],
    [
      3,
      'Set either SCREEN_ADVERTISING_API_KEY, or a client ID and a client secret, not both.',
      { BASE_URL: 'http://127.0.0.1:1/api/v1', API_KEY: 'svc_secret', CLIENT_ID: 'a' },
    ],
    [
      3,
      'The base URL must end in /api/v1, the supported version.',
      { BASE_URL: 'http://127.0.0.1:1/api/v2', API_KEY: 'svc_secret' },
    ],
    [
      3,
      'SCREEN_ADVERTISING_RATE_LIMIT must be a whole number above 0, such as 600.',
      { BASE_URL: 'http://127.0.0.1:1/api/v1', API_KEY: 'svc_secret', RATE_LIMIT: '1e3' },
    ],
  ])('%i: %s', async (code, words, access) => {
    const env = Object.fromEntries(
      Object.entries(access).map(([name, value]) => [`SCREEN_ADVERTISING_${name}`, value]),
    );
    const { code: ended, errors } = await typed(['call', 'screen.list'], env);
    expect(ended).toBe(code);
    expect(errors).toContain(words);
    expect(errors).not.toContain('svc_secret');
  });

  it('5: a conflict; 6: refused; 7: a page that is not of the service; 8: a lost response', async () => {
    const service = await start();
    const fields = ['--discount_type=percent', '--discount_value=5', '--lead_email=a@example.com'];
    const create = (...more: string[]) => typedCall(service, 'coupon.create', ...fields, ...more);
    const [first, again] = [await create(), await create()];
    expect([first.code, again.code]).toEqual([0, 0]);
    const { code } = JSON.parse(first.output);
    expect(JSON.parse(again.output)).toMatchObject({ code, created: false });
    expect((await create('--code_prefix=SPRING-')).code).toBe(5);
    const revoke = () => typedCall(service, 'coupon.revoke', '--code=SPRING');
    await typedCall(
      service,
      'coupon.create',
      ...fields.slice(0, 2),
      '--lead_email=b@example.com',
      '--code=SPRING',
    );
    expect([(await revoke()).code, (await revoke()).code]).toEqual([0, 6]);
    const page = { status: 404, body: '<h1>Not here</h1>', contentType: 'text/html' } as const;
    service.sandbox.faults.add({ path: '/screens', fault: 'status', ...page });
    expect((await typedCall(service, 'screen.list')).code).toBe(7);
    service.sandbox.faults.add({ path: '/landing-links', fault: 'reset', when: 'after' });
    const link = await typedCall(service, 'landingLink.create', '--field=utm_campaign=spring');
    expect(link.code).toBe(8);
  });

  it('2: a file that cannot be read', async () => {
    const env = { SCREEN_ADVERTISING_SIGNING_SECRET: 'secret' };
    const { code, errors } = await typed(['explain-delivery', '/nowhere/delivery.txt'], env);
    expect(code).toBe(2);
    expect(errors).toMatch(/^\/nowhere\/delivery\.txt cannot be read: ENOENT/);
  });

  it.each([
    [['coupon', 'create', '--code', 'svc_secret'], 'call coupon.create'],
    [['coupon.create'], 'call coupon.create'],
    [['create-coupon'], 'call coupon.create'],
    [['screens', 'list'], 'call screen.list'],
    [['list', 'screens', '--city', 'Berlin'], 'call screen.list'],
    [['call', 'landing-link', 'create'], 'call landingLink.create'],
    [['lookup-user'], 'call user.lookup'],
  ])('leads from %j to %s', async (args, command) => {
    const { code, errors } = await typed(args, {});
    expect(code).toBe(2);
    expect(errors).toContain(`Did you mean: screen-advertising ${command}\n`);
    expect(errors).not.toContain('svc_secret');
  });

  it('has an exit code for every kind of error', () => {
    const known = exitCodeMeanings.flatMap(({ codes = [] }) => [...codes]);
    const others = errorCodes.filter((code) => !known.some((one) => one === code));
    // The command line receives no deliveries.
    expect(others).toEqual(['webhook_verification_failed']);
  });
});
