import { describe, expect, it } from '@jest/globals';
import { defaultPort } from '../../../packages/sandbox/src/cli/arguments.ts';
import { startCommand } from '../../sandbox/support/command.ts';
import { start } from '../../sandbox/support/running-sandbox.ts';
import { readCurl } from './curl.ts';
import { commandsOf } from './kinds.ts';
import { splitCommand } from './split-command.ts';

const calls = commandsOf('calls of a sandbox');

describe('the events that the documents fire in a sandbox', () => {
  it.each(commandsOf('events of a sandbox'))('$document: $text', async ({ text }) => {
    const { url } = await start();
    const [, words = ''] = text.split(' run sandbox ');
    const port = ['--port', new URL(url).port];
    expect(await startCommand([...splitCommand(words), ...port]).ended).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Fired /),
    });
  });
});

describe('the calls of a sandbox that the documents show', () => {
  it.each([...new Set(calls.map(({ document }) => document))])(
    '%s: they work, one after the other',
    async (path) => {
      const { url } = await start();
      const shown = calls.filter(({ document }) => document === path);
      expect(shown).not.toEqual([]);
      for (const { text } of shown) {
        const { url: address, ...init } = readCurl(text);
        const { status } = await fetch(
          address.replace(`http://127.0.0.1:${defaultPort}`, url),
          init,
        );
        expect(`${status} ${text}`).toMatch(/^20[014] /);
      }
    },
  );
});
