import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const entrypoint = path.join(__dirname, '../../packages/relay/docker-entrypoint.sh');

const folder = temporaryFolder();

/** Runs the script with programs that only note how they are called: a test may lack the rights. */
async function start(userId: number, dataDir: string): Promise<string[]> {
  const bin = await mkdtemp(path.join(folder(), 'bin-'));
  const calls = path.join(bin, 'calls');
  const program = async (name: string, script: string) => {
    const file = path.join(bin, name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  };
  await program('id', `echo ${userId}`);
  for (const name of ['chown', 'setpriv', 'relay']) {
    await program(name, `echo "${name} $*" >> "${calls}"`);
  }
  const env = { PATH: `${bin}:${process.env.PATH}`, RELAY_DATA_DIR: dataDir };
  await run('sh', [entrypoint, 'start'], { env });
  return (await readFile(calls, 'utf8')).trim().split('\n');
}

describe('the entry point of the image', () => {
  it('as root, creates the data folder, follows no link in it, and gives up its rights', async () => {
    const dataDir = path.join(folder(), 'volume', 'relay');
    const [chown, setpriv, ...more] = await start(0, dataDir);
    expect(existsSync(dataDir)).toBe(true);
    expect(chown).toBe(`chown --no-dereference node:node ${dataDir}`);
    expect(setpriv).toMatch(
      /^setpriv --reuid=node --regid=node --init-groups --no-new-privs .* start$/,
    );
    expect(more).toEqual([]);
  });

  it('as another user, starts the relay and changes nothing', async () => {
    const dataDir = path.join(folder(), 'missing');
    expect(await start(1000, dataDir)).toEqual(['relay start']);
    expect(existsSync(dataDir)).toBe(false);
  });
});
