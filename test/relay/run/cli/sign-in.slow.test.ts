import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { command } from '../../support/command.ts';
import { start } from '../../support/running-relay.ts';

async function signIn(environment: Record<string, string>, ...args: string[]) {
  const { code, output, errors } = await command(['sign-in', ...args], environment);
  return { code, output: output + errors };
}

describe('the command sign-in', () => {
  it('uses the address in the settings', async () => {
    const { databaseUrl: DATABASE_URL } = await start();
    for (const [environment, start] of [
      [{ PUBLIC_URL: 'https://relay.example.com/' }, 'https://relay.example.com/operator/'],
      [{ HOST: '0.0.0.0' }, 'http://localhost:8788/operator/'],
      [{ HOST: '::1', PORT: '9000' }, 'http://[::1]:9000/operator/'],
    ] as const) {
      const { output } = await signIn({ DATABASE_URL, ...environment }, '--json');
      expect(JSON.parse(output).link.startsWith(start)).toBe(true);
    }
    expect(await signIn({ DATABASE_URL, RELAY_ADMIN_TOKEN: 'short' })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^RELAY_ADMIN_TOKEN must have at least 24 characters/),
    });
  });

  it("refuses a folder that is not the relay's, and creates nothing", async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'folder-'));
    const RELAY_DATA_DIR = path.join(parent, 'another');
    expect(await signIn({ RELAY_DATA_DIR })).toEqual({
      code: 1,
      output: `No relay has its data in ${RELAY_DATA_DIR}. Set RELAY_DATA_DIR to the folder that your relay names after "Data" when it starts, or DATABASE_URL to its database.\n`,
    });
    expect(readdirSync(parent)).toEqual([]);
  });
});
