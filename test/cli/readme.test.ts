import { describe, expect, it } from '@jest/globals';
import { startBanner } from '../../packages/sandbox/src/cli/run.ts';
import { commandsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { splitCommand } from '../docs/commands/split-command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { typed } from './command.ts';

const commands = commandsOf('the command line')
  .filter(({ document }) => document === 'packages/cli/README.md')
  .map(({ text }) => text);

/** Runs the typed lines after their exported variables. The sandbox may use another port. */
async function follow(lines: readonly string[], baseUrl: string): Promise<void> {
  const exports = lines.flatMap((line) => {
    const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    return name && value ? [[name, value.replace('http://127.0.0.1:8787/api/v1', baseUrl)]] : [];
  });
  expect(exports).toHaveLength(2);
  const calls = lines.filter((line) => /^npx .*\b(?:call|find-available|doctor)\b/.test(line));
  expect(calls.length).toBeGreaterThan(0);
  for (const text of calls) {
    const { code, errors } = await typed(wordsOf(text), Object.fromEntries(exports));
    // A QR code appears beside the record.
    const shown = errors.replace(/^[█▀▄ \n]+$/, '');
    expect({ text, code, shown }).toEqual({ text, code: 0, shown: '' });
  }
}

/** What the command line is given, in a clone or installed. */
function wordsOf(text: string): string[] {
  if (!text.includes('pnpm@12')) return splitCommand(text).slice(2);
  const [script, args = ''] = scriptOf(text).line.split('packages/cli/src/main.ts');
  expect(script).toBe('node --conditions=source --no-warnings ');
  return splitCommand(args);
}

describe('the command line as the documents show it', () => {
  it('works, one command after another', async () => {
    await follow(commands, (await start()).baseUrl);
  });

  it('works as the sandbox suggests at startup', async () => {
    const { sandbox, url, baseUrl } = await start();
    const lines = startBanner(sandbox, { url, baseUrl, host: '127.0.0.1' }).split('\n');
    await follow(
      lines.map((line) => line.trim()),
      baseUrl,
    );
  });
});
