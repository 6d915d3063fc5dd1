import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';

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

afterEach(() => {
  for (const name of Object.keys(variables)) delete process.env[name];
});

it('the PG* variables of the machine do not reach the relay’s own PostgreSQL', async () => {
  Object.assign(process.env, variables);
  const relay = await createRelay({ dataDir: mkdtempSync(path.join(tmpdir(), 'environment-')) });
  try {
    await relay.sources.add('main', 'secret of the access');
    const { url } = await relay.listen();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  } finally {
    await relay.close();
  }
});
