import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { start } from '../sandbox/support/running-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { environment, typed } from './command.ts';

const folder = temporaryFolder();

const discount = ['--discount_type=percent', '--discount_value=15'];

async function withLeads(text: string) {
  const service = await start();
  const file = join(folder(), 'leads.csv');
  await writeFile(file, text);
  const call = () =>
    typed(
      ['call', 'coupon.create', ...discount, '--file', file],
      environment(service.baseUrl, service.full),
    );
  const results = async () => (await readFile(`${file}.results.csv`, 'utf8')).trim().split('\n');
  return { service, file, call, results, coupons: () => service.sandbox.snapshot().data.coupons };
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
  expect(lines[0]).toMatch(/^row,input,ok,exit_code,message,code,discount_type,/);
  expect(
    lines.slice(1).map((line) => line.replace(/^(\d+),.*\}"?,(true|false),(\d).*$/, '$1 $2 $3')),
  ).toEqual(['2 true 0', '3 false 5', '4 true 0']);
  expect(coupons()).toHaveLength(3);
  await service.call('POST', '/coupons/TAKEN/revoke');
  const second = await call();
  expect(second.errors).toMatch(/^Create Coupon: 0 succeeded, 1 failed, 2 done before, 0 left\./);
  expect(coupons()).toHaveLength(3);
});

it.each([
  [
    'email,code\na@example.com,A\n',
    'The file has columns that Create Coupon does not take: email.',
  ],
  ['lead_email\n"a', 'is not a CSV file with a header'],
])('names what is wrong with %j', async (text, words) => {
  const { call, results, service } = await withLeads(text);
  const { code, errors } = await call();
  const said = [errors, ...(await results().catch(() => []))].join('\n');
  expect(said).toContain(words);
  expect([2, 9]).toContain(code);
  expect(service.sandbox.journal.list()).toEqual([]);
});

it('a file that is missing is an error of the command line', async () => {
  const service = await start();
  const args = ['call', 'coupon.create', ...discount, '--file', '/nowhere/leads.csv'];
  const { code, errors } = await typed(args, environment(service.baseUrl, service.full));
  expect(code).toBe(2);
  expect(errors).toMatch(/^\/nowhere\/leads\.csv cannot be read: ENOENT/);
});
