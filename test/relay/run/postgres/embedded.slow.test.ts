import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { openEmbeddedPostgres } from '../../../../packages/relay/src/run/postgres/embedded.ts';
import { killPostgres } from '../../support/kill-postgres.ts';
import { onDatabase } from '../../support/running-relay.ts';

const opened: { close(): Promise<void> }[] = [];

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

  it('removes what a start that was killed has left', async () => {
    const folder = newFolder();
    const left = ['postgres', 'programs-1234'].map((name) =>
      path.join(folder, `${name}-${randomUUID()}`),
    );
    for (const one of left) mkdirSync(path.join(one, 'base'), { recursive: true });
    mkdirSync(path.join(folder, 'postgres-of-mine'));
    await open(folder);
    const names = readdirSync(folder).filter((name) => /^(?:postgres|programs)-/.test(name));
    expect(names.filter((name) => !/^programs-\d+$/.test(name))).toEqual(['postgres-of-mine']);
  });

  it('removes what another start is still creating, which then uses the finished one', async () => {
    const folder = newFolder();
    const unfinished = path.join(folder, `postgres-${randomUUID()}`);
    mkdirSync(unfinished);
    const opening = open(folder);
    const first = path.join(unfinished, '0');
    // Like initdb, the other one notices it a few files later.
    for (let number = 0, late = 0; late < 50; number += 1) {
      await writeFile(path.join(unfinished, String(number)), '').catch(() => undefined);
      if (!existsSync(first)) late += 1;
    }
    expect(await query(await opening, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(existsSync(unfinished)).toBe(false);
  });

  it('starts again after a power cut and in another place, with everything that was committed', async () => {
    const parent = newFolder();
    // As root, PostgreSQL runs as another user, which must reach its folder.
    chmodSync(parent, 0o755);
    let folder = path.join(parent, 'first');
    await query(await open(folder), 'CREATE TABLE kept (number integer)');
    for (let number = 0; number < 3; number += 1) {
      await query(await open(folder), `INSERT INTO kept VALUES (${number})`);
      killPostgres(folder);
      const before = folder;
      folder = path.join(parent, String(number));
      renameSync(before, folder);
    }
    const [{ count }] = await query(await open(folder), 'SELECT count(*)::integer FROM kept');
    expect(count).toBe(3);
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
