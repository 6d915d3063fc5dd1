import { expect, it } from '@jest/globals';
import { startCommand } from './own-process.ts';

const complete = async (...words: string[]) => {
  const { code, output } = await startCommand(['complete', '--', ...words], {}).ended;
  return { code, names: output.split('\n').map((line) => line.split('\t')[0]) };
};

it.each(['bash', 'zsh', 'fish'])('complete %s prints a script', async (shell) => {
  const { code, output } = await startCommand(['complete', shell], {}).ended;
  expect(code).toBe(0);
  expect(output).toContain('screen-advertising');
});

it('completes commands, and the options of each', async () => {
  expect((await complete('ca')).names).toContain('call');
  expect((await complete('call', 'coup')).names).toEqual(
    expect.arrayContaining(['coupon.create', 'coupon.get', 'coupon.revoke']),
  );
  expect((await complete('call', 'coupon.create', '--lead')).names).toEqual(
    expect.arrayContaining(['--lead_email', '--lead_metadata']),
  );
});
