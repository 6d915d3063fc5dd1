import { describe, expect, it } from '@jest/globals';
import { operations, type Page, type Screen } from '@screen-advertising/core';
import type { AvailableScreen } from '@screen-advertising/core/availability';
import { exitCodeMeanings } from '../../packages/cli/src/exit-code.ts';
import { type Running, start } from '../sandbox/support/running-sandbox.ts';
import { formLabels, operationNames } from '../support/catalogue-names.ts';
import { environment, typed } from './command.ts';
import { serve } from './serve.ts';

const typedCall = (service: Running, ...args: string[]) =>
  typed(['call', ...args], environment(service.baseUrl, service.full));

it.each(['--version', '-V'])('%s prints the version', async (flag) => {
  expect(await typed([flag], {})).toMatchObject({ code: 0, output: '1.2.3\n', errors: '' });
});

describe('a call', () => {
  it('prints all records of a list as JSON, page by page', async () => {
    const service = await start({ screens: 450 });
    const { code, output, errors } = await typedCall(service, 'screen.list');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const { pagination } = await service.read<Page<Screen>>('/screens?limit=1');
    expect(pagination.total_count).toBeGreaterThan(400);
    expect(JSON.parse(output)).toHaveLength(Number(pagination.total_count));
  });

  it.each([
    ['[]\n', []],
    ['', ['--table']],
  ])('says why a list may be empty, beside the output %j', async (output, args) => {
    const service = await start();
    const misspelled = ['--city', 'Berln', '--country', 'DE'];
    expect(await typedCall(service, 'screen.list', ...misspelled, ...args)).toMatchObject({
      code: 0,
      output,
      errors: 'No screen is in "Berln". Did you mean "Berlin"?\n',
    });
    const filters = ['--city', 'Berlin', '--country', 'AT'];
    expect(await typedCall(service, 'screen.list', ...filters, ...args)).toMatchObject({
      code: 0,
      output,
      errors:
        'List Screens returned no records: nothing matches. Check the spelling, or leave out one of --city, --country.\n',
    });
    const none = await start({ screens: 0 });
    expect(await typedCall(none, 'screen.list', ...args)).toMatchObject({
      code: 0,
      output,
      errors: 'List Screens returned no records: this access has no such records.\n',
    });
  });

  it('prints a record as the service sent it, and reads numbers and JSON', async () => {
    const service = await start();
    const fields = ['--discount_type=percent', '--discount_value=12.5', '--code=SPRING-25'];
    const lead = ['--lead_email', 'lead@example.com', '--lead_metadata', '{"crm_id":"42"}'];
    const { output } = await typedCall(service, 'coupon.create', ...fields, ...lead);
    expect(JSON.parse(output)).toMatchObject({
      code: 'SPRING-25',
      discount_value: 12.5,
      lead_metadata: { crm_id: '42' },
    });
  });

  it('prints a table that fits the terminal, or one line per field', async () => {
    const service = await start();
    const list = await typedCall(service, 'screen.list', '--city', 'Berlin', '--table');
    const lines = list.output.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^id +name +/);
    expect(lines[1]).toMatch(/^scr_berlin_0001 +/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(lines[0]).toMatch(/ city +price_per_day_cents/);
    expect(lines[1]).toMatch(/ Berlin +\d+/);
    const one = await typedCall(service, 'screen.get', '--screenId', 'scr_berlin_0001', '-t');
    expect(one.output).toMatch(/^id +scr_berlin_0001\n[\s\S]*\ncity +Berlin\n/);
  });

  it('prints all columns and whole IDs in a pipe, and whole IDs in a terminal', async () => {
    const id = '0195501a-e610-72f2-a0f9-b9b0c1d2e3f4';
    const record = { id, name: `${'x'.repeat(30)}😀😀 and more`, description: 'd'.repeat(90) };
    const { baseUrl } = await serve(() => [
      200,
      { data: [record], pagination: { has_more: false } },
    ]);
    const env = environment(baseUrl, { apiKey: 'svc_example' });
    const args = ['call', 'screen.list', '--table'];
    const [, piped] = (await typed(args, env, false, true)).output.split('\n');
    const [head, inTerminal] = (await typed(args, env)).output.split('\n');
    expect(piped).toBe(`${id}  ${'x'.repeat(30)}😀😀 and more  ${'d'.repeat(90)}`);
    expect(head).toBe('id                                    name');
    expect(inTerminal).toBe(`${id}  ${'x'.repeat(30)}😀…`);
  });

  it('prints CSV, and only the fields that were asked for', async () => {
    const service = await start({ screens: 1 });
    service.sandbox.screens.add({ id: 'scr_berlin_0001', name: 'A "b", c' });
    const csv = await typedCall(service, 'screen.list', '--csv', '--fields', 'id,name,is_active');
    expect(csv.output).toBe('id,name,is_active\nscr_berlin_0001,"A ""b"", c",true\n');
    const all = await typedCall(service, 'screen.list', '--csv');
    expect(all.output.split('\n')[0]).toMatch(/^id,name,description,country,city,/);
    const json = await typedCall(service, 'screen.list', '--fields=id,size');
    expect(JSON.parse(json.output)).toEqual([{ id: 'scr_berlin_0001', size: null }]);
    const one = ['screen.get', '--screenId=scr_berlin_0001', '--fields=name'];
    expect((await typedCall(service, ...one, '--table')).output).toBe('name  A "b", c\n');
    expect(JSON.parse((await typedCall(service, ...one)).output)).toEqual({ name: 'A "b", c' });
    const wrong = await typedCall(service, 'screen.list', '--fields=id,,name');
    expect(wrong.errors).toContain('It must be names separated by commas, such as id,name,city.');
  });

  it('takes the UTM parameters of a landing link by name', async () => {
    const service = await start();
    const { output } = await typedCall(
      service,
      'landingLink.create',
      '--utm_campaign=spring',
      '--field=utm_region=south',
    );
    expect(JSON.parse(output).url).toContain('utm_campaign=spring&utm_region=south');
  });

  it('works with client credentials', async () => {
    const { baseUrl, limited } = await start();
    const env = {
      SCREEN_ADVERTISING_BASE_URL: baseUrl,
      SCREEN_ADVERTISING_CLIENT_ID: limited.clientId,
      SCREEN_ADVERTISING_CLIENT_SECRET: limited.clientSecret,
    };
    expect(await typed(['call', 'screen.list', '--limit=1'], env)).toMatchObject({
      code: 0,
      errors: '',
    });
  });
});

describe('find-available', () => {
  const period = ['--from=2027-03-01', '--to=2027-03-31', '--city=Berlin'];

  it('prints the available screens, cheapest first, as JSON or as a table', async () => {
    const service = await start({ screens: 320 });
    const env = environment(service.baseUrl, service.full);
    const { code, output } = await typed(['find-available', ...period], env);
    const prices = JSON.parse(output).map((found: AvailableScreen) => found.total_price_cents);
    expect(code).toBe(0);
    expect(prices.length).toBeGreaterThan(5);
    expect(prices).toEqual([...prices].sort((one: number, other: number) => one - other));
    const short = await typed(['find-available', ...period, '--budget_cents=500'], env);
    expect([short.code, short.output]).toEqual([0, '[]\n']);
    expect(short.errors).toMatch(
      /^(Sold out .*\n)?Above the budget: \d+ screens, the cheapest for /,
    );
    const { output: shown } = await typed(['find-available', ...period, '--table'], env);
    expect(shown.split('\n')[0]).toMatch(
      /^screen_id +name +city +available_sov_pct +total_price_cents/,
    );
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

  it.each([[{ id: 's1', [name]: 1 }], [{ id: 's1', name: 'x', nested: { [name]: name } }]])(
    'is shown safely as the name of a field, too: %j',
    async (record) => {
      const { baseUrl } = await serve(() => [
        200,
        { data: [record], pagination: { has_more: false } },
      ]);
      for (const asTable of [[], ['--table']]) {
        const env = environment(baseUrl, { apiKey: 'svc_example' });
        const { output } = await typed(['call', 'screen.list', ...asTable], env);
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

describe('--help', () => {
  it('names every operation, variable and exit code', async () => {
    const { output } = await typed(['--help'], {});
    const { output: calls } = await typed(['call', '--help'], {});
    for (const { exitCode, meaning } of exitCodeMeanings) {
      expect(output).toMatch(new RegExp(`^ {2}${exitCode} +${meaning}$`, 'm'));
    }
    for (const { name, title } of Object.values(operations)) {
      expect(calls).toMatch(new RegExp(`^ {2}${name} .* ${title}$`, 'm'));
    }
  });

  it.each(operationNames)('of %s names every field', async (name) => {
    const { output } = await typed(['call', name, '--help'], {});
    for (const field of Object.keys(formLabels[name])) expect(output).toContain(`--${field} <`);
    expect(output.replace(/\s+/g, ' ')).toContain(operations[name].description.slice(0, -1));
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
