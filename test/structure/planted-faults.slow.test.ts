import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from './project.ts';

interface Fault {
  readonly id: string;
  readonly file: string;
  readonly before: string;
  readonly noticedBy?: string;
  readonly equivalent?: string;
}

describe.each(['faults', 'omissions'])('the planted %s', (list) => {
  const file = join(root, `test/mutation/planted/${list}.json`);
  const { faults } = JSON.parse(readFileSync(file, 'utf8')) as { readonly faults: Fault[] };

  it('are each where the list says, once, and their tests exist', () => {
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
    const isLost = (fault: Fault): boolean => {
      const path = join(root, fault.file);
      const isThere =
        existsSync(path) && readFileSync(path, 'utf8').split(fault.before).length === 2;
      return !isThere || !existsSync(join(root, 'test', fault.noticedBy ?? ''));
    };
    const lost = faults.filter((fault) => !fault.equivalent && isLost(fault));
    expect(lost.map(({ id }) => id)).toEqual([]);
  });
});
