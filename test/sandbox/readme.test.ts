import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventNames } from '../support/catalogue-names.ts';
import { helps } from './cli/parse.ts';
import { start } from './support/running-sandbox.ts';

const readme = readFileSync(
  join(__dirname, '..', '..', 'packages', 'sandbox', 'README.md'),
  'utf8',
);

describe('the readme', () => {
  it("shows the sandbox's credentials", async () => {
    const { sandbox } = await start();
    expect(sandbox.accesses.length).toBeGreaterThan(1);
    for (const { id, apiKey, clientId, clientSecret, signingSecret } of sandbox.accesses) {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${id}\``));
      for (const value of [apiKey, clientId, clientSecret, signingSecret]) {
        expect(row).toContain(`\`${value}\``);
      }
    }
  });

  it('names exactly the options of the command line', () => {
    const named = (text: string) => new Set(text.match(/--[a-z][a-z-]+/g));
    const options = named(readme);
    expect([...options].sort()).toEqual([...named(helps())].sort());
  });

  it('says what every event changes', () => {
    const named = [...readme.matchAll(/^\| `(\w+\.\w+)` +\|/gm)].map(([, name]) => name);
    expect(named).toEqual(eventNames);
  });

  it('names exactly the faults that exist', async () => {
    const { admin } = await start();
    const { text } = await admin('POST', '/faults', { body: { fault: 'none of them' } });
    const [, known = ''] = /must be one of ([a-z, -]+)\./.exec(text) ?? [];
    const table = readme.slice(readme.indexOf('| `fault` '), readme.indexOf('`when` is'));
    const named = [...table.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name);
    expect(named.filter((name) => name !== 'fault').sort()).toEqual(known.split(', ').sort());
  });
});
