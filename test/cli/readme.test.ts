import { describe, expect, it } from '@jest/globals';
import { banner } from '../../packages/sandbox/src/cli/banner.ts';
import { commandsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { shellWords } from '../docs/commands/shell-words.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { startCommand } from './command.ts';

const commands = commandsOf('the command line').map(({ text }) => text);

/** Runs the typed lines after their exported variables. The sandbox may use another port. */
async function follow(lines: readonly string[], baseUrl: string): Promise<void> {
  const exports = lines.flatMap((line) => {
    const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    return name && value ? [[name, value.replace('http://127.0.0.1:8787/api/v1', baseUrl)]] : [];
  });
  expect(exports).toHaveLength(2);
  for (const text of lines.filter((line) => line.startsWith('npx @'))) {
    const [, , ...args] = shellWords(text);
    const { code, errors } = await startCommand(args, Object.fromEntries(exports)).ended;
    expect({ text, code, errors }).toEqual({ text, code: 0, errors: '' });
  }
}

describe('the command line as the documents show it', () => {
  it('works, one command after another', async () => {
    await follow(commands, (await start()).baseUrl);
  });

  it('works as the sandbox suggests at startup', async () => {
    const { sandbox, url, baseUrl } = await start();
    const lines = banner(sandbox, { url, baseUrl, host: '127.0.0.1' }).split('\n');
    await follow(
      lines.map((line) => line.trim()),
      baseUrl,
    );
  });

  it.each(commands.filter((text) => text.includes('pnpm@12')))('%s, in a clone', async (text) => {
    const [script, args = ''] = scriptOf(text).line.split('packages/cli/src/main.ts');
    expect(script).toBe('node --conditions=source --no-warnings ');
    const { output, errors } = await startCommand(shellWords(args), {}).ended;
    expect(output || errors).toContain('Usage: screen-advertising');
  });
});
