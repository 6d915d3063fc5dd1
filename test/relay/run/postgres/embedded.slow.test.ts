import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../../packages/relay/src/run/postgres/embedded.ts';
import { startReceiver } from '../../../sandbox/support/receiver.ts';
import { eventually } from '../../../support/eventually.ts';
import { freePort } from '../../../support/free-port.ts';
import type { Program } from '../../../support/program.ts';
import { onDatabase } from '../../support/database.ts';
import { killPostgres } from '../../support/kill-postgres.ts';
import { postEvent } from '../../support/post-event.ts';
import { startRelay } from '../../support/relay-process.ts';
import { send, sourceSecret } from '../../support/running-relay.ts';

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

  it('starts again after a kill, with everything that was committed', async () => {
    const folder = newFolder();
    await query(await open(folder), 'CREATE TABLE kept (number integer)');
    for (let number = 0; number < 3; number += 1) {
      const connectionString = await open(folder);
      await query(connectionString, `INSERT INTO kept VALUES (${number})`);
      const pid = readFileSync(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8').split(
        '\n',
      )[0];
      process.kill(Number(pid), 'SIGKILL');
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

const type = 'campaign.paid';

/** A relay process with its own PostgreSQL in this folder. */
async function start(dataDir: string): Promise<{ url: string; relay: Program }> {
  const port = await freePort();
  const relay = startRelay(['start'], {
    RELAY_DATA_DIR: dataDir,
    RELAY_ALLOW_TARGETS: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'warn',
  });
  await relay.printed('Stop with Ctrl-C.');
  return { url: `http://127.0.0.1:${port}`, relay };
}

async function stop(relay: Program): Promise<void> {
  relay.terminate();
  expect(await relay.ended).toMatchObject({ code: 0, errors: '' });
}

async function cutPower(relay: Program, dataDir: string): Promise<void> {
  relay.kill();
  killPostgres(dataDir);
  await relay.ended;
}

it.each([
  ['a stop', stop],
  ['a power cut', cutPower],
])('a data folder that was moved after %s is the same relay in another place', async (_, end) => {
  const receiver = await startReceiver([500]);
  const parent = mkdtempSync(path.join(tmpdir(), 'moved-'));
  // As root, PostgreSQL runs as another user, which must reach its folder.
  chmodSync(parent, 0o755);
  const [before, after] = [path.join(parent, 'before'), path.join(parent, 'after')];
  const admin = await createRelay({ dataDir: before });
  await admin.sources.add('main', sourceSecret);
  const { token } = await admin.tokens.create('main', 'all');
  await admin.close();
  const headers = { authorization: `Bearer ${token}` };

  const first = await start(before);
  const target = { target_url: receiver.url, events: [type] };
  const put = await send(`${first.url}/api/v1/subscriptions`, 'PUT', headers, target);
  expect(await postEvent(first.url, { id: '1', type, data: {} })).toBe(202);
  await eventually(() => receiver.arrivals.length === 1, 'the first attempt');
  await end(first.relay, before);
  renameSync(before, after);

  const second = await start(after);
  expect(await postEvent(second.url, { id: '1', type, data: {} })).toBe(200);
  expect(await postEvent(second.url, { id: '2', type, data: {} })).toBe(202);
  const { body } = await send(`${second.url}/api/v1/events`, 'GET', headers);
  expect(body.data.map(({ payload }: { payload: { id: string } }) => payload.id)).toEqual([
    '2',
    '1',
  ]);
  // The first attempt for the first event failed before the move.
  await send(`${second.url}/api/v1/subscriptions/${put.body.id}/retry`, 'POST', headers);
  await eventually(() => receiver.arrivals.length === 3, 'the retry, and the second event');
  const arrived = receiver.arrivals.map((arrival) => JSON.parse(arrival.body).id);
  expect(arrived.sort()).toEqual(['1', '1', '2']);
  await stop(second.relay);
});
