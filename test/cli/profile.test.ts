import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { start } from '../sandbox/support/running-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { typed } from './command.ts';

const folder = temporaryFolder();

async function withProfiles(make: (service: { baseUrl: string; key: string }) => object) {
  const { baseUrl, full } = await start();
  const file = join(folder(), 'profiles.json');
  await writeFile(file, JSON.stringify(make({ baseUrl, key: full.apiKey })));
  const list = (args: readonly string[], env = {}) =>
    typed(['call', 'screen.list', '--limit=1', '--fields=id', ...args], {
      SCREEN_ADVERTISING_PROFILES: file,
      ...env,
    });
  return { file, list, key: full.apiKey };
}

it('has its secret in the environment, in a file, or from a command', async () => {
  const keyFile = join(folder(), 'key');
  const { list, key } = await withProfiles(({ baseUrl: base_url, key }) => ({
    env: { base_url, api_key: { env: 'MY_KEY' } },
    file: { base_url, api_key: { file: keyFile } },
    command: {
      base_url,
      rate_limit: 60,
      api_key: { command: [process.execPath, '-p', `'${key}'`] },
    },
  }));
  await writeFile(keyFile, `${key}\r\n`);
  for (const [name, env] of [
    ['env', { MY_KEY: key }],
    ['file', {}],
    ['command', {}],
  ] as const) {
    const { code, errors, output } = await list(['--profile', name], env);
    expect({ name, code, errors }).toEqual({ name, code: 0, errors: '' });
    expect(output).toContain('scr_berlin_0001');
  }
  expect((await list([], { SCREEN_ADVERTISING_PROFILE: 'file' })).code).toBe(0);
});

it('says what to fix, without a secret', async () => {
  const { list, file } = await withProfiles(({ baseUrl: base_url, key }) => ({
    plain: { base_url, api_key: key },
    none: { base_url, api_key: { env: 'MY_KEY' } },
    lost: { base_url, api_key: { command: ['/nowhere/pass', key] } },
    refused: { base_url, api_key: { command: ['false'] } },
    other: { url: base_url },
    empty: null,
    text: key,
  }));
  const said = async (name: string) => {
    const { code, errors } = await list(['--profile', name]);
    expect({ name, code }).toEqual({ name, code: 3 });
    expect(errors).not.toContain('svc_');
    return errors;
  };
  expect(await said('acme')).toBe(
    `There is no profile of this name in ${file}, which has: plain, none, lost, refused, other, empty, text.\n`,
  );
  expect(await said('svc_typed_in_the_wrong_place')).toMatch(
    /^There is no profile of this name in /,
  );
  for (const name of ['empty', 'text']) {
    expect(await said(name)).toBe(
      `Profile "${name}" in ${file} must be a JSON object with base_url and api_key, or with client_id and client_secret in its place.\n`,
    );
  }
  expect(await said('plain')).toBe(
    'The api_key of profile "plain" must say where it is kept: { "env": "NAME" }, { "file": "PATH" }, or { "command": ["PROGRAM"] }.\n',
  );
  expect(await said('none')).toBe('Set MY_KEY, the api_key of profile "none".\n');
  expect(await said('lost')).toBe(
    'The command /nowhere/pass for the api_key of profile "lost" failed (ENOENT).\n',
  );
  expect(await said('refused')).toBe(
    'The command false for the api_key of profile "refused" failed (1).\n',
  );
  expect(await said('other')).toBe(
    'Profile "other" has an unknown field. It may have: base_url, client_id, rate_limit, api_key, client_secret, coupon_key.\n',
  );
});
