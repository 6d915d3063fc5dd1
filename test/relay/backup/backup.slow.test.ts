import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { uses } from '../../../packages/relay/src/backup/backup-file.ts';
import { SecretBox } from '../../../packages/relay/src/secrets/secret-box.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { command as runCommand } from '../support/command.ts';
import { freshDatabase, onDatabase } from '../support/database.ts';
import { type Running, secretKey, start } from '../support/running-relay.ts';

const type = 'campaign.paid';
const otherKey = Buffer.alloc(32, 9).toString('base64');

const folder = temporaryFolder();

async function command(databaseUrl: string, args: readonly string[], key = secretKey) {
  const environment = { DATABASE_URL: databaseUrl, RELAY_SECRET_KEY: key };
  const { code, output, errors } = await runCommand([...args, '--json'], environment);
  return { code, output: output + errors };
}

/** Events with every kind of text, delivered, dead and pending; a subscription that is off. */
async function lived(): Promise<Running> {
  const receiver = await startReceiver(Array(8).fill(200));
  const gone = await startReceiver([410]);
  const running = await start();
  const put = (url: string, events: string[]) =>
    running.call('PUT', '/subscriptions', { target_url: url, events });
  await put(receiver.url, [type, 'user.registered']);
  await put(gone.url, [type]);
  const texts = ['Ünï 🎉', 'tab\there', 'line\nbreak', '\\.', '\\N', '"quoted"', '\u0001'];
  for (const [index, text] of texts.entries()) {
    await running.deliver({ id: String(index), type, data: { email: 'anna@example.com', text } });
    await running.relay.clock.advance(1000);
  }
  await running.deliver({ type: 'user.registered', data: {} });
  await put('http://127.0.0.1:9/', ['coupon.redeemed']);
  await running.deliver({ id: 'waits', type: 'coupon.redeemed', data: {} });
  return running;
}

const backupTables = [
  ...['source', 'refusal', 'token', 'subscription', 'lease', 'event', 'erasure', 'pruned'],
  ...['seen_body', 'delivery', 'attempt', 'job', 'hourly_count', 'problem'],
];

async function contentOf(databaseUrl: string): Promise<Record<string, unknown[]>> {
  return onDatabase(databaseUrl, async (client) => {
    const content: Record<string, unknown[]> = {};
    for (const table of backupTables) {
      const { rows } = await client.query(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY 1`);
      content[table] = rows.map(({ row }) => row);
    }
    return content;
  });
}

/** A backup whose text was changed, sealed with this key, if there is one. */
async function changed(
  file: string,
  change: (text: string) => string,
  key?: string,
): Promise<string> {
  const lines = change(gunzipSync(await readFile(file)).toString('utf8')).split(/(?<=\n)/);
  const last = JSON.parse(lines.pop() ?? '');
  const text = lines.join('');
  const digest = createHash('sha256').update(text).digest('hex');
  const seal = key ? new SecretBox(key).seal(digest, uses.digest).toString('base64') : last.seal;
  const result = `${file}-${Math.random()}`;
  await writeFile(result, gzipSync(`${text}${JSON.stringify({ ...last, seal })}\n`));
  return result;
}

describe('a backup', () => {
  it('restores every row, in a database where the relay continues', async () => {
    const before = await lived();
    const file = join(folder(), 'all.gz');
    const saved = await command(before.databaseUrl, ['backup', file]);
    const content = await contentOf(before.databaseUrl);
    const counts = Object.fromEntries(backupTables.map((table) => [table, content[table]?.length]));
    expect([saved.code, JSON.parse(saved.output)]).toEqual([0, { file, ...counts }]);
    expect(counts).toMatchObject({ source: 1, token: 1, subscription: 3, event: 9, delivery: 10 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const databaseUrl = await freshDatabase();
    const restored = await command(databaseUrl, ['restore', file]);
    expect([restored.code, restored.output]).toEqual([0, saved.output]);
    expect(await contentOf(databaseUrl)).toEqual(content);

    // The key, the memory of duplicates and the positions continue where they were.
    await before.relay.close();
    const after = await start({ databaseUrl });
    const { token } = before.key;
    const again = await after.deliver({ id: '3', type, data: {} });
    expect(again.body).toEqual({ stored: false });
    await after.deliver({ id: 'new', type, data: {} });
    const { body } = await after.call('GET', '/events?search=anna@example.com', undefined, token);
    expect(body.data).toHaveLength(7);
    const [newest] = (await after.call('GET', '/events?search=new', undefined, token)).body.data;
    expect(Number.parseInt(newest.position, 10)).toBeGreaterThan(9);
    await after.relay.tokens.create('main', 'another');
  });

  it('holds every table, or says why not', async () => {
    const { databaseUrl } = await start();
    const left = ['relay_migration', 'relay_migration_lock', 'sign_in_token'];
    const tables = await onDatabase(databaseUrl, (client) =>
      client.query(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace",
      ),
    );
    const names = tables.rows.map(({ relname }) => relname);
    expect(names.sort()).toEqual([...backupTables, ...left].sort());
  });

  it('is not written over a file', async () => {
    const { databaseUrl } = await start();
    const file = join(folder(), 'there');
    await writeFile(file, 'mine');
    expect(await command(databaseUrl, ['backup', file])).toEqual({
      code: 1,
      output: `Cannot write ${file}. It exists already: choose another name, or delete it.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('mine');
    const twice = join(folder(), 'twice');
    const both = await Promise.all([1, 2].map(() => command(databaseUrl, ['backup', twice])));
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)?.output).toContain('It exists already');
    expect(gunzipSync(await readFile(twice)).toString()).toMatch(/"seal":"[\w+/=]+"\}\n$/);
    expect((await readdir(folder())).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('a backup is refused, and nothing changed', () => {
  let file = '';
  const damage = 'is not a complete backup of a relay, or it is damaged. Nothing was changed.';
  const newer = 'was written by a newer relay.';
  const cases: readonly [what: string, make: () => Promise<string>, message: string][] = [
    ['cut off', async () => written((await readFile(file)).subarray(0, -40)), damage],
    [
      'changed in one row',
      () => changed(file, (text) => text.replace('campaign.paid', 'campaign.PAID')),
      damage,
    ],
    [
      'forged with another key',
      () => changed(file, (text) => text.replace('campaign.paid', 'campaign.PAID'), otherKey),
      damage,
    ],
    ['with an empty seal', () => sealed(''), damage],
    [
      'with the seal of the key check',
      () => sealed(new SecretBox(secretKey).seal('backup', uses.keyCheck).toString('base64')),
      damage,
    ],
    [
      'with a row that PostgreSQL refuses',
      () => changed(file, (text) => text.replace(/(\n\{"table":"source".*\n)/, '$1nonsense\n')),
      damage,
    ],
    [
      'with an instruction in place of a table',
      () =>
        changed(
          file,
          (text) => text.replace('{"table":"source"', '{"table":"source FROM PROGRAM \'id\' --"'),
          secretKey,
        ),
      newer,
    ],
    [
      'of an older format',
      () => changed(file, (text) => text.replace('relay_backup":2', 'relay_backup":1')),
      'was written by an older relay. Restore it with that release, then update.',
    ],
    ['no gzip', () => written(Buffer.from('{}\n')), damage],
    ['another text in gzip', () => written(gzipSync('SELECT 1;\n')), damage],
    ['one endless line', () => written(gzipSync('x'.repeat(2_000_000))), damage],
    [
      'of a newer format',
      () => changed(file, (text) => text.replace('relay_backup":2', 'relay_backup":3')),
      newer,
    ],
    [
      'of newer tables',
      () => changed(file, (text) => text.replace('0001-tables', '9999-x')),
      newer,
    ],
  ];

  async function sealed(seal: string): Promise<string> {
    const lines = gunzipSync(await readFile(file))
      .toString('utf8')
      .split(/(?<=\n)/);
    const last = { ...JSON.parse(lines.pop() ?? ''), seal };
    return written(gzipSync(`${lines.join('')}${JSON.stringify(last)}\n`));
  }

  async function written(content: Buffer): Promise<string> {
    const path = join(folder(), `${Math.random()}`);
    await writeFile(path, content);
    return path;
  }

  beforeAll(async () => {
    const { databaseUrl, relay } = await lived();
    file = join(folder(), 'whole.gz');
    await command(databaseUrl, ['backup', file]);
    await relay.close();
  });

  it.each(cases)('%s', async (_what, make, message) => {
    const databaseUrl = await freshDatabase();
    const made = await make();
    const { code, output } = await command(databaseUrl, ['restore', made]);
    expect([code, output.slice(0, made.length + 1)]).toEqual([1, `${made} `]);
    expect(output).toContain(message);
    const content = await contentOf(databaseUrl);
    expect(Object.values(content).flat()).toEqual([]);
  });

  it('with another secret key', async () => {
    expect(await command(await freshDatabase(), ['restore', file], otherKey)).toEqual({
      code: 1,
      output: `The secrets in ${file} were encrypted with a different key. Nothing was changed. Set RELAY_SECRET_KEY to the key of the relay that wrote it, or copy its secret.key into RELAY_DATA_DIR.\n`,
    });
  });

  it('in a database that is in use', async () => {
    const { databaseUrl } = await start();
    expect(await command(databaseUrl, ['restore', file])).toEqual({
      code: 1,
      output:
        'A backup can only be restored into an empty database, and this one has rows in the table source. Nothing was changed. Choose another RELAY_DATA_DIR or DATABASE_URL.\n',
    });
  });

  it('a file that is not there, a folder', async () => {
    const databaseUrl = await freshDatabase();
    const nowhere = join(folder(), 'nowhere');
    expect((await command(databaseUrl, ['restore', nowhere])).output).toBe(
      `Cannot read ${nowhere}: the system reports ENOENT.\n`,
    );
    expect((await command(databaseUrl, ['restore', folder()])).output).toContain(damage);
  });
});
