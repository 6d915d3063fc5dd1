import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { start } from '../sandbox/support/running-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { environment, typed } from './command.ts';

const folder = temporaryFolder();

const discount = ['--discount_type=percent', '--discount_value=15'];

async function withLeads(text: string | Buffer) {
  const service = await start();
  const file = join(await mkdtemp(join(folder(), 'leads-')), 'leads.csv');
  await writeFile(file, text);
  const env = environment(service.baseUrl, service.full);
  const call = (...more: string[]) =>
    typed(['call', 'coupon.create', ...discount, '--file', file, ...more], env);
  const results = async () => (await readFile(`${file}.results.csv`, 'utf8')).trim().split('\n');
  return {
    service,
    env,
    file,
    call,
    results,
    coupons: () => service.sandbox.snapshot().data.coupons,
  };
}

it('creates a coupon for each row, and a rerun continues with those that failed', async () => {
  const { service, call, results, coupons } = await withLeads(
    '\ufefflead_email;code\nkim@example.com;KIM-1\nlee@example.com;TAKEN\n\nmax@example.com;\n',
  );
  const taken = { discount_type: 'percent', discount_value: 5, code: 'TAKEN' };
  await service.call('POST', '/coupons', { body: { ...taken, lead_email: 'x@example.com' } });
  const first = await call();
  expect(first).toMatchObject({ code: 9, output: '' });
  expect(first.errors).toMatch(
    /^Create Coupon: 2 succeeded, 1 failed, 0 done before, 0 left\. Results: /,
  );
  const lines = await results();
  expect(lines[0]).toMatch(/^row,command,input,ok,exit_code,message,code,discount_type,/);
  expect(
    lines
      .slice(1)
      .map((line) => line.replace(/^(\d+),coupon\.create,.*\}"?,(true|false),(\d).*$/, '$1 $2 $3')),
  ).toEqual(['2 true 0', '3 false 5', '5 true 0']);
  expect(coupons()).toHaveLength(3);
  await service.call('POST', '/coupons/TAKEN/revoke');
  const second = await call();
  expect(second.errors).toMatch(/^Create Coupon: 0 succeeded, 1 failed, 2 done before, 0 left\./);
  expect(coupons()).toHaveLength(3);
});

const leads = Array.from({ length: 20 }, (_, nth) => `lead${nth}@example.com`);
const fileOf = (eleventh: string) => ['lead_email', ...leads.with(10, eleventh), ''].join('\n');

it.each([
  ['cannot be read', 'no address', 2],
  ['is refused by the service', 'taken@example.com', 5],
])(
  'of 20 leads, the 11th %s: the codes of the others are kept, and a rerun adds it',
  async (_what, eleventh, exitCode) => {
    const { service, call, file, results, coupons } = await withLeads(fileOf(eleventh));
    const taken = { discount_type: 'percent', discount_value: 5, code: 'TAKEN' };
    const lead_email = 'taken@example.com';
    await service.call('POST', '/coupons', { body: { ...taken, lead_email } });
    const first = await call();
    expect(first.code).toBe(9);
    expect(first.errors).toContain('19 succeeded, 1 failed, 0 done before, 0 left.');
    const lines = await results();
    const codes = lines.flatMap((line) => /,true,0,,(\w{10}),percent,/.exec(line)?.[1] ?? []);
    expect(codes).toHaveLength(19);
    expect(new Set(['TAKEN', ...codes])).toEqual(new Set(coupons().map(([code]) => code)));
    expect(lines[11]).toMatch(new RegExp(`^12,coupon\\.create,.*,false,${exitCode},`));
    await writeFile(file, fileOf(leads[10] ?? ''));
    expect((await call()).errors).toContain('1 succeeded, 0 failed, 19 done before, 0 left.');
    expect(coupons()).toHaveLength(21);
  },
);

it('refuses a row whose coupon would have no end because its cell is empty', async () => {
  const { call, results, coupons } = await withLeads(
    'lead_email,valid_until\na@example.com,2027-03-31\nb@example.com,\nc@example.com\n',
  );
  expect((await call()).errors).toContain('1 succeeded, 2 failed, 0 done before, 0 left.');
  expect(coupons().map(([, { lead_email, valid_until }]) => [lead_email, valid_until])).toEqual([
    ['a@example.com', '2027-03-31'],
  ]);
  for (const line of (await results()).slice(2)) {
    expect(line).toContain(
      ',false,2,Create Coupon was not sent: valid_until must not be empty: leave it out instead.,',
    );
  }
  // An option fills it for all rows.
  const filled = await call('--valid_until=2027-06-30');
  expect(filled.errors).toContain('3 succeeded, 0 failed, 0 done before, 0 left.');
  expect(
    coupons()
      .slice(1)
      .map(([, { valid_until }]) => valid_until),
  ).toEqual(['2027-06-30', '2027-06-30']);
});

it.each<[string | Buffer, string]>([
  [
    'email,code\na@example.com,A\n',
    'The file has columns that Create Coupon does not take: email. It takes: discount_type, ',
  ],
  ['lead_email\n"a', 'leads.csv is not a CSV file: Quote Not Closed'],
  ['lead_email,lead_email\na@example.com,b@example.com\n', 'has the column lead_email twice.\n'],
  ['lead_email\na@example.com,x\n', 'has a value in column 2, which has no name.\n'],
  [
    Buffer.from('lead_email,code\na@example.com,M\u00fc\n', 'latin1'),
    'leads.csv is not in UTF-8. Save it as "CSV UTF-8".\n',
  ],
  [Buffer.from('\ufefflead_email\n', 'utf16le'), 'leads.csv is not in UTF-8.'],
])('says what is wrong with %j, and sends nothing', async (text, words) => {
  const { call, service } = await withLeads(text);
  const { code, errors } = await call();
  expect(errors).toContain(words);
  expect(code).toBe(2);
  expect(service.sandbox.journal.list()).toEqual([]);
});

it.each([
  ['\ufefflead_email,code\r\na@example.com,A-1\r\n', [['2', 'A-1', '15']]],
  [
    'lead_email;code;discount_value\na@example.com;A-1;12,5\n;;\nb@example.com;B-1;\n',
    [
      ['2', 'A-1', '12.5'],
      ['4', 'B-1', '15'],
    ],
  ],
  ['code\tlead_email\nA-1\ta@example.com\n', [['2', 'A-1', '15']]],
  // Excel does not count the line that names the delimiter.
  ['\ufeffsep=;\r\nlead_email;code\r\na@example.com;A-1\r\n', [['2', 'A-1', '15']]],
  ['SEP=|\nlead_email|code\na@example.com|A-1\n', [['2', 'A-1', '15']]],
  ['"sep=,"\ncode,lead_email\nA-1,a@example.com\n', [['2', 'A-1', '15']]],
  ['sep=\t\ncode\tlead_email\nA-1\ta@example.com\n', [['2', 'A-1', '15']]],
])('reads %j as a spreadsheet writes it', async (text, expected) => {
  const { call, results } = await withLeads(text);
  expect((await call()).code).toBe(0);
  const [, ...lines] = await results();
  const rows = lines.map((line) =>
    /^(\d+),.*,true,0,,([^,]*),percent,([^,]*),/.exec(line)?.slice(1),
  );
  expect(rows).toEqual(expected);
});

it('sends a row again with other options, and for another command', async () => {
  const { call, env, file } = await withLeads('code,lead_email\nA-1,a@example.com\n');
  expect((await call()).errors).toContain('1 succeeded, 0 failed, 0 done before');
  expect((await call()).errors).toContain('0 succeeded, 0 failed, 1 done before');
  expect((await call('--max_redemptions=9')).errors).toContain('0 succeeded, 1 failed, 0 done');
  await writeFile(file, 'code\nA-1\n');
  const get = await typed(['call', 'coupon.get', '--file', file], env);
  expect(get.errors).not.toContain('done before, 0 left');
});

it('leaves a file alone that does not hold its results', async () => {
  const { call, file, service } = await withLeads('lead_email\na@example.com\n');
  const { code, errors } = await call('--results', file);
  expect(code).toBe(2);
  expect(errors).toBe(
    `${file} is not the file with the results of this command. Name another one with --results.\n`,
  );
  expect(await readFile(file, 'utf8')).toBe('lead_email\na@example.com\n');
  const nowhere = await call('--results', '/nowhere/results.csv');
  expect(nowhere.code).toBe(2);
  expect(nowhere.errors).toMatch(/^\/nowhere\/results\.csv cannot be written: ENOENT/);
  expect(service.sandbox.journal.list()).toEqual([]);
});

it('a file that is missing is an error of the command line', async () => {
  const service = await start();
  const args = ['call', 'coupon.create', ...discount, '--file', '/nowhere/leads.csv'];
  const { code, errors } = await typed(args, environment(service.baseUrl, service.full));
  expect(code).toBe(2);
  expect(errors).toMatch(/^\/nowhere\/leads\.csv cannot be read: ENOENT/);
});
