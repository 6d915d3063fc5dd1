import { describe, expect, it } from '@jest/globals';
import { environment } from '../../packages/relay/src/cli/environment.ts';
import { run } from '../../packages/relay/src/cli/run.ts';
import { read } from '../structure/project.ts';

const readme = read('packages/relay/README.md');

describe('the settings', () => {
  it('are in the README, in the words of the help', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, name, does]) => [
      name,
      does?.replaceAll('`', ''),
    ]);
    expect(Object.fromEntries(rows)).toEqual(environment);
  });

  it('are those that the code reads', () => {
    const taken = [...read('packages/relay/src/cli/settings.ts').matchAll(/given\('(\w+)'\)/g)];
    expect([...new Set(taken.map(([, name]) => name))].sort()).toEqual(
      Object.keys(environment).sort(),
    );
  });

  it('are in the help', async () => {
    let help = '';
    const nothing = async () => '';
    await run(['--help'], {
      write: (text) => {
        help += text;
      },
      writeError: () => undefined,
      readInput: nothing,
      environment: {},
      stop: new AbortController().signal,
    });
    const plain = help.replaceAll(/\n {20,}/g, ' ');
    for (const [name, does] of Object.entries(environment)) {
      expect(plain).toMatch(new RegExp(`^ {2}${name} +`, 'm'));
      expect(plain).toContain(` ${does}\n`);
    }
    expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThan(110);
  });
});
