import { expect, it } from '@jest/globals';
import { recordTable, table } from '../../packages/cli/src/table.ts';

const hostile = { 'id\u001b]0;x\u0007': 's1\u009b31m', 'na\u202eme': 'two\nlines' };

it('a table escapes what a terminal would obey, in names and values', () => {
  expect(table([hostile], 80)).toBe(
    `${'id\\u001b]0;x\\u0007'.padEnd(20)}na\\u202eme\n${'s1\\u009b31m'.padEnd(20)}two lines\n`,
  );
  expect(recordTable(hostile)).toBe(
    `${'id\\u001b]0;x\\u0007'.padEnd(20)}s1\\u009b31m\n${'na\\u202eme'.padEnd(20)}two lines\n`,
  );
});
