import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { operations, type Page, type Screen } from '@screen-advertising/core';
import type { AvailableScreen } from '@screen-advertising/core/availability';
import { formFields } from '@screen-advertising/core/forms';
import { outcomes } from '../../packages/cli/src/exit-code.ts';
import { codesIn } from '../docs/error-table.ts';
import { type Running, start } from '../sandbox/support/running-sandbox.ts';
import { listen } from '../shared/support/loopback.ts';
import { read } from '../structure/project.ts';
import { environment, startCommand, startCommandIn, typed } from './command.ts';

const call = async (service: Running, ...args: string[]) =>
  startCommand(['call', ...args], environment(service.baseUrl, service.full)).ended;

const typedCall = (service: Running, ...args: string[]) =>
  typed(['call', ...args], environment(service.baseUrl, service.full));

describe('a call', () => {
  it('prints all records of a list as JSON, page by page', async () => {
    const service = await start({ screens: 450 });
    const { code, output, errors } = await call(service, 'screen.list');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const { pagination } = await service.read<Page<Screen>>('/screens?limit=1');
    expect(pagination.total_count).toBeGreaterThan(400);
    expect(JSON.parse(output)).toHaveLength(Number(pagination.total_count));
  });

  it('prints one page with its pagination when a size is given', async () => {
    const { output } = await call(await start(), 'screen.list', '--limit', '2');
    expect(JSON.parse(output)).toMatchObject({
      data: [{}, {}],
      pagination: { has_more: true },
    });
  });

  it('prints a record as the service sent it, and reads numbers and JSON', async () => {
    const service = await start();
    const fields = ['--discount_type=percent', '--discount_value=12.5', '--code=SPRING-25'];
    const lead = ['--lead_email', 'lead@example.com', '--lead_metadata', '{"crm_id":"42"}'];
    const { output } = await call(service, 'coupon.create', ...fields, ...lead);
    expect(JSON.parse(output)).toMatchObject({
      code: 'SPRING-25',
      discount_value: 12.5,
      lead_metadata: { crm_id: '42' },
    });
  });

  it('takes the fields of a landing link by name', async () => {
    const fields = ['--field', 'utm_campaign=a=b', '--field', 'utm_content=x'];
    const { output } = await call(await start(), 'landingLink.create', ...fields);
    const { url } = JSON.parse(output);
    expect(new URL(url).searchParams.get('utm_campaign')).toBe('a=b');
  });

  it('prints a table that fits the terminal, or one line per field', async () => {
    const service = await start();
    const list = await call(service, 'screen.list', '--city', 'Berlin', '--table');
    const lines = list.output.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^id +name +/);
    expect(lines[1]).toMatch(/^scr_berlin_0001 +/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(lines[0]).toMatch(/ city +price_per_day_cents/);
    expect(lines[1]).toMatch(/ Berlin +\d+/);
    const one = await call(service, 'screen.get', '--screenId', 'scr_berlin_0001', '-t');
    expect(one.output).toMatch(/^id +scr_berlin_0001\n[\s\S]*\ncity +Berlin\n/);
  });

  it('works with client credentials', async () => {
    const { baseUrl, limited } = await start();
    const env = {
      SCREEN_ADVERTISING_BASE_URL: baseUrl,
      SCREEN_ADVERTISING_CLIENT_ID: limited.clientId,
      SCREEN_ADVERTISING_CLIENT_SECRET: limited.clientSecret,
    };
    expect(await startCommand(['call', 'screen.list', '--limit=1'], env).ended).toMatchObject({
      code: 0,
      errors: '',
    });
  });
});

describe('find-available', () => {
  const period = ['--from=2027-03-01', '--to=2027-03-31', '--city=Berlin'];

  it('prints the available screens, cheapest first, as JSON or as a table', async () => {
    const service = await start();
    const env = environment(service.baseUrl, service.full);
    const { code, output } = await typed(['find-available', ...period], env);
    const prices = JSON.parse(output).map((found: AvailableScreen) => found.total_price_cents);
    expect(code).toBe(0);
    expect(prices.length).toBeGreaterThan(5);
    expect(prices).toEqual([...prices].sort((one: number, other: number) => one - other));
    const { output: shown } = await typed(['find-available', ...period, '--table'], env);
    expect(shown.split('\n')[0]).toMatch(
      /^screen_id +name +city +available_sov_pct +total_price_cents/,
    );
  });

  it('says which screens could not be read', async () => {
    const service = await start();
    const fault = { fault: 'status', status: 404 } as const;
    service.sandbox.faults.add({ ...fault, path: '/screens/scr_berlin_0001/availability' });
    const env = environment(service.baseUrl, service.full);
    const { code, errors } = await typed(['find-available', ...period], env);
    expect({ code, errors }).toEqual({
      code: 0,
      errors: expect.stringMatching(/^Screens that could not be read: 1\. First error: /),
    });
  });
});

describe('text from the service', () => {
  const name = '\u202e\u2066\u001b]0;x\u0007\u009b31m\u0085';
  const withName = async (...args: string[]) => {
    const service = await start({ screens: 1 });
    service.sandbox.screens.add({ id: 'scr_berlin_0001', name });
    return typedCall(service, ...args);
  };

  it.each([
    [['screen.list']],
    [['screen.list', '--table']],
    [['screen.get', '--screenId=scr_berlin_0001', '--table']],
  ])('moves no cursor and turns no line around: %j', async (args) => {
    const { output } = await withName(...args);
    expect(output).toContain('\\u202e\\u2066\\u001b]0;x');
    expect(output).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });

  it('is the same after parsing the JSON', async () => {
    const { output } = await withName('screen.list');
    expect(JSON.parse(output)[0].name).toBe(name);
  });

  it.each([[{ id: 's1', [name]: 1 }], [{ id: 's1', name: 'x', nested: { [name]: name } }]])(
    'is shown safely as the name of a field, too: %j',
    async (record) => {
      for (const asTable of [[], ['--table']]) {
        const { port, close } = await listen(
          createServer((_request, response) =>
            response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(JSON.stringify({ data: [record], pagination: { has_more: false } })),
          ),
        );
        const env = environment(`http://127.0.0.1:${port}/api/v1`, { apiKey: 'svc_example' });
        const { output } = await typed(['call', 'screen.list', ...asTable], env);
        await close();
        expect(output).toContain('\\u202e\\u2066\\u001b]0;x');
        expect(output).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
      }
    },
  );

  it('is shown safely in an error', async () => {
    const service = await start();
    service.sandbox.faults.add({ fault: 'status', status: 409, detail: name });
    const { errors } = await typedCall(service, 'screen.list');
    expect(errors).toContain('\\u202e\\u2066');
    expect(errors).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });
});

describe('output that cannot be written', () => {
  const create = ['call', 'coupon.create', '--discount_type=percent', '--discount_value=5'];

  it('ends with the reason, and does not lose what was created', async () => {
    const { baseUrl, full } = await start();
    const command = [...create, '--lead_email=a@example.com'];
    const { code, errors } = await startCommandIn(
      '> /dev/full',
      command,
      environment(baseUrl, full),
    );
    expect(code).toBe(1);
    expect(errors).toMatch(/^Create Coupon succeeded:\n\{\n {2}"code": "BVCC-/);
    expect(errors).toMatch(
      /\nThe output cannot be written: ENOSPC: no space left on device, write\.\n$/,
    );
  });

  it('keeps the exit code when the errors cannot be written', async () => {
    const { baseUrl, full } = await start();
    const command = ['call', 'screen.get', '--screenId=none'];
    const env = environment(baseUrl, full);
    expect(await startCommandIn('2> /dev/full', command, env)).toMatchObject({ code: 4 });
  });
});

describe('a failed call says why on the error output and has its own exit code', () => {
  it.each<[number, string, string[]]>([
    [2, "error: required option '--screenId <text>' not specified", ['screen.get']],
    [2, "error: unknown option '--api-key'", ['screen.list', '--api-key=svc_secret']],
    [2, 'error: unknown option\n', ['screen.list', '--svc_secret']],
    [2, 'error: unknown option\n', ['screen.list', '-svc_secret']],
    [2, 'error: unknown command\n', ['svc_secret']],
    [2, 'error: unknown command\n(Did you mean coupon.create?)\n', ['coupon.creat']],
    [2, 'argument is invalid. It must be name=value', ['landingLink.create', '--field=svc_secret']],
    [2, 'argument is invalid. It must be JSON', ['coupon.create', '--lead_metadata={svc_secret']],
    [
      2,
      'Create Coupon was not sent: discount_value must be a number.',
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
  ])('%i: %s', async (code, words, access) => {
    const env = Object.fromEntries(
      Object.entries(access).map(([name, value]) => [`SCREEN_ADVERTISING_${name}`, value]),
    );
    const { code: ended, errors } = await typed(['call', 'screen.list'], env);
    expect(ended).toBe(code);
    expect(errors).toContain(words);
    expect(errors).not.toContain('svc_secret');
  });

  it('3: a missing scope', async () => {
    const { baseUrl, limited } = await start();
    const env = environment(baseUrl, limited);
    const { code, errors } = await typed(['call', 'user.lookup', '--email=a@b.de'], env);
    expect(code).toBe(3);
    expect(errors).toContain('lacks the scope users:read');
  });

  it('4: a conflict; 5: an unreadable response; 6: a lost response', async () => {
    const service = await start();
    const create = ['coupon.create', '--discount_type=percent', '--discount_value=5'];
    const first = [...create, '--lead_email=a@example.com'];
    expect((await typedCall(service, ...first)).code).toBe(0);
    expect((await typedCall(service, ...first)).code).toBe(4);
    service.sandbox.faults.add({ path: '/screens', fault: 'html-body' });
    expect((await typedCall(service, 'screen.list')).code).toBe(5);
    service.sandbox.faults.add({ method: 'POST', path: '/coupons', fault: 'reset', when: 'after' });
    expect((await typedCall(service, ...create, '--lead_email=b@example.com')).code).toBe(6);
  });

  it('130: Ctrl-C, even in the middle of a call', async () => {
    const { port, close } = await listen(createServer(() => command.interrupt()));
    const env = environment(`http://127.0.0.1:${port}/api/v1`, { apiKey: 'svc_example' });
    const command = startCommand(['call', 'screen.list'], env);
    expect(await command.ended).toEqual({ code: 130, output: '', errors: '' });
    await close();
  });

  it('130: Ctrl-C in the middle of a change says that it may have gone through', async () => {
    const { port, close } = await listen(createServer(() => command.interrupt()));
    const env = environment(`http://127.0.0.1:${port}/api/v1`, { apiKey: 'svc_example' });
    const command = startCommand(['call', 'coupon.revoke', '--code=SPRING-25'], env);
    expect(await command.ended).toEqual({
      code: 130,
      output: '',
      errors:
        'Revoke Coupon was stopped before it got a response, so it may have gone through. Check before you retry.\n',
    });
    await close();
  });

  it('130: a closed terminal says it, too', async () => {
    const { port, close } = await listen(createServer(() => command.hangUp()));
    const env = environment(`http://127.0.0.1:${port}/api/v1`, { apiKey: 'svc_example' });
    const command = startCommand(['call', 'coupon.revoke', '--code=SPRING-25'], env);
    expect(await command.ended).toMatchObject({
      code: 130,
      errors: expect.stringMatching(/^Revoke Coupon was stopped before it got a response/),
    });
    await close();
  });

  it('has an exit code for every kind of error', () => {
    const source = read('shared/src/errors/screen-advertising-error.ts');
    const known = outcomes.flatMap(({ codes = [] }) => [...codes]);
    const others = codesIn(source, 'ErrorCode').filter(
      (code) => !known.some((one) => one === code),
    );
    // The command line receives no deliveries.
    expect(others).toEqual(['webhook_verification_failed']);
  });
});

describe('--help', () => {
  it('names every operation, variable and exit code', async () => {
    const { output } = await typed(['--help'], {});
    const { output: calls } = await typed(['call', '--help'], {});
    for (const { exitCode, meaning } of outcomes) {
      expect(output).toMatch(new RegExp(`^ {2}${exitCode} +${meaning}$`, 'm'));
    }
    for (const { name, title } of Object.values(operations)) {
      expect(calls).toMatch(new RegExp(`^ {2}${name} .* ${title}$`, 'm'));
    }
  });

  it.each(Object.values(operations))('of $name names every field', async (operation) => {
    const { output } = await typed(['call', operation.name, '--help'], {});
    for (const { name } of formFields(operation)) expect(output).toContain(`--${name} <`);
    expect(output.replace(/\s+/g, ' ')).toContain(operation.description);
  });
});

describe('progress', () => {
  it('is shown when a person watches', async () => {
    const service = await start({ screens: 450 });
    const env = environment(service.baseUrl, service.full);
    const { code, pieces } = await typed(['call', 'screen.list'], env, true);
    expect(code).toBe(0);
    expect(pieces.at(0)).toMatch(/^\r\[#+\.+\] 200 of \d{3}$/);
    expect(pieces.at(-2)).toMatch(/^\r\[#{24}\] (\d+) of \1$/);
    expect(pieces.at(-1)).toBe('\n');
  });
});
