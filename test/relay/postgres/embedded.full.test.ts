import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../packages/relay/src/postgres/embedded.ts';
import { onDatabase } from '../support/database.ts';

const opened: EmbeddedPostgres[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function open(folder: string): Promise<string> {
  const server = await openEmbeddedPostgres(folder);
  opened.push(server);
  return server.connectionString;
}

const query = (connectionString: string, text: string) =>
  onDatabase(connectionString, async (client) => (await client.query(text)).rows);

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'postgres-'));

describe('the relay’s own PostgreSQL', () => {
  it('is created once by all that open it at the same time, and stops with the last of them', async () => {
    const folder = newFolder();
    const [first = ''] = await Promise.all([open(folder), open(folder), open(folder)]);
    expect(await query(first, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    const [one, two, three] = opened;
    await one?.close();
    await two?.close();
    expect(await query(first, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await three?.close();
    await expect(query(first, 'SELECT 1')).rejects.toThrow('ENOENT');
  });

  it('starts again after a kill, with everything that was committed', async () => {
    const folder = newFolder();
    await query(await open(folder), 'CREATE TABLE kept (number integer)');
    for (let number = 0; number < 10; number += 1) {
      const connectionString = await open(folder);
      await query(connectionString, `INSERT INTO kept VALUES (${number})`);
      const pid = readFileSync(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8').split(
        '\n',
      )[0];
      process.kill(Number(pid), 'SIGKILL');
    }
    const [{ count }] = await query(await open(folder), 'SELECT count(*)::integer FROM kept');
    expect(count).toBe(10);
  });

  it('is stopped by a relay that has closed every connection before', async () => {
    const errors: unknown[] = [];
    const options = { dataDir: newFolder(), onError: (error: unknown) => errors.push(error) };
    const relay = await createRelay(options);
    await relay.listen();
    await relay.close();
    expect(errors).toEqual([]);
  });

  it('says what to do if its path is too long for a socket', async () => {
    await expect(openEmbeddedPostgres(path.join(tmpdir(), 'x'.repeat(100)))).rejects.toThrow(
      /is too long for the PostgreSQL socket\. Set RELAY_DATA_DIR to a shorter path\.$/,
    );
  });
});
