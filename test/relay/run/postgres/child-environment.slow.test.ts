import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { placesOfSecrets, runningProcesses } from '../../../support/processes.ts';
import { startRelay } from '../../support/relay-process.ts';
import { secretKey } from '../../support/running-relay.ts';

const variables = {
  PGHOST: 'elsewhere.invalid',
  PGPORT: '6543',
  PGUSER: 'somebody',
  PGPASSWORD: 'secret',
  PGDATABASE: 'other',
  PGSSLMODE: 'require',
  PGSSLNEGOTIATION: 'direct',
  PGOPTIONS: '-c default_transaction_read_only=on',
  PGDATA: '/nowhere',
  PGCLIENTENCODING: 'LATIN1',
  PGCLIENT_ENCODING: 'LATIN1',
  PGDATESTYLE: 'German',
};

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'environment-'));

afterEach(() => {
  for (const name of Object.keys(variables)) delete process.env[name];
});

it('the PG* variables of the machine do not reach the relay’s own PostgreSQL', async () => {
  Object.assign(process.env, variables);
  const relay = await createRelay({ dataDir: newFolder() });
  try {
    await relay.sources.add('main', 'secret-of-the-access');
    const { url } = await relay.listen();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  } finally {
    await relay.close();
  }
});

// Elsewhere, processes do not show their environment as files.
const onLinux = process.platform === 'linux' ? it : it.skip;

const secrets = {
  RELAY_SECRET_KEY: secretKey,
  RELAY_ADMIN_TOKEN: 'adm_token-of-the-operator-here',
  RELAY_PROBLEM_URL: 'https://chat.example.com/hook/of-the-operator',
  PGPASSWORD: 'password-of-another-postgres',
};
const itsOwn = /\/bin\/postgres -D /;

onLinux('no process that the relay starts gets a secret', async () => {
  const relay = startRelay([], { ...secrets, RELAY_DATA_DIR: newFolder(), PORT: '0' });
  await relay.printed('Stop with Ctrl-C.');
  const all = runningProcesses();
  const own = all.filter(({ pid }) => pid === relay.pid);
  // The loop also reaches what it adds: children of children.
  for (const { pid } of own) own.push(...all.filter(({ parent }) => parent === pid));
  expect(own.map(({ command }) => command)).toContainEqual(expect.stringMatching(itsOwn));
  expect(placesOfSecrets(own, relay.pid, Object.values(secrets))).toEqual([]);
  relay.terminate();
  expect(await relay.ended).toMatchObject({ code: 0 });
});
