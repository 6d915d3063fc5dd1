import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { defaultPort, readArguments } from '../../packages/sandbox/src/cli/arguments.ts';
import { helpText } from '../../packages/sandbox/src/cli/help.ts';
import { start } from './support/running-sandbox.ts';

const readme = readFileSync(
  join(__dirname, '..', '..', 'packages', 'sandbox', 'README.md'),
  'utf8',
);

interface Curl {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** The few words of curl that the readme uses. */
function readCurl(line: string): Curl {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
  const after = (option: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === option ? [String(word)] : []));
  const [body] = after('-d');
  return {
    method: after('-X')[0] ?? (body === undefined ? 'GET' : 'POST'),
    url: String(words.findLast((word) => word?.startsWith('http'))),
    headers: Object.fromEntries(after('-H').map((header) => header.split(': '))),
    ...(body !== undefined && { body }),
  };
}

describe('the readme', () => {
  it('has calls that work, one after the other', async () => {
    const { sandbox } = await start();
    const lines = readme.split('\n').filter((line) => line.startsWith('curl '));
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) {
      const { url, ...init } = readCurl(line);
      expect(new URL(url).port).toBe(String(defaultPort));
      const { status } = await sandbox.fetch(url, init);
      expect(`${status} ${line}`).toMatch(/^20[014] /);
    }
  });

  it('shows the credentials that there are', async () => {
    const { sandbox } = await start();
    for (const { id, apiKey, clientId, clientSecret, signingSecret } of sandbox.accesses) {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${id}\``));
      for (const value of [apiKey, clientId, clientSecret, signingSecret]) {
        expect(row).toContain(`\`${value}\``);
      }
    }
  });

  it('names the options of the command line, and none that it has not', () => {
    const named = (text: string) => new Set(text.match(/--[a-z][a-z-]+/g));
    const options = named(readme);
    expect([...options].sort()).toEqual([...named(helpText())].sort());
    expect(() => readArguments(['--frozen', '--latency', '5'])).not.toThrow();
  });

  it('names every fault, and none that there is not', async () => {
    const { admin } = await start();
    const { text } = await admin('POST', '/faults', { body: { fault: 'none of them' } });
    const [, known = ''] = /must be one of ([a-z, -]+)\./.exec(text) ?? [];
    const table = readme.slice(readme.indexOf('| `fault` '), readme.indexOf('`when` is'));
    const named = [...table.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name);
    expect(named.filter((name) => name !== 'fault').sort()).toEqual(known.split(', ').sort());
  });
});
