import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openPool } from '../../../../packages/relay/src/base/database.ts';
import { migrate, migrations } from '../../../../packages/relay/src/base/migrations.ts';
import { startReceiver } from '../../../sandbox/support/receiver.ts';
import { command as runCommand } from '../../support/command.ts';
import {
  freshDatabase,
  migratedDatabase,
  onDatabase,
  type Running,
  start,
  subscribe,
} from '../../support/running-relay.ts';

const type = 'campaign.paid';

async function copy(databaseUrl: string, to: string) {
  const args = ['copy', '--to', to, '--json'];
  const { code, output, errors } = await runCommand(args, { DATABASE_URL: databaseUrl });
  return { code, output: output + errors };
}

/** Events with every kind of text, delivered, dead and pending; a subscription that is off. */
async function lived(): Promise<Running> {
  const receiver = await startReceiver(Array(8).fill(200));
  const gone = await startReceiver([410]);
  const running = await start();
  await subscribe(running, receiver.url, { events: [type, 'user.registered'] });
  await subscribe(running, gone.url);
  const texts = ['Ünï 🎉', 'tab\there', 'line\nbreak', '\\.', '\\N', '"quoted"', '\u0001'];
  for (const [index, text] of texts.entries()) {
    await running.deliver({ id: String(index), type, data: { email: 'anna@example.com', text } });
    await running.relay.clock.advance(1000);
  }
  await running.deliver({ type: 'user.registered', data: {} });
  await subscribe(running, 'http://127.0.0.1:9/', { events: ['coupon.redeemed'] });
  await running.deliver({ id: 'waits', type: 'coupon.redeemed', data: {} });
  return running;
}

const copied = [
  ...['source', 'refusal', 'token', 'subscription', 'lease', 'event', 'erasure', 'pruned'],
  ...['seen_body', 'delivery', 'attempt', 'job', 'hourly_count', 'problem'],
];

async function contentOf(databaseUrl: string): Promise<Record<string, unknown[]>> {
  return onDatabase(databaseUrl, async (client) => {
    const content: Record<string, unknown[]> = {};
    for (const table of copied) {
      const { rows } = await client.query(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY 1`);
      content[table] = rows.map(({ row }) => row);
    }
    return content;
  });
}

describe('a copy', () => {
  it('has every row, and the relay continues with it', async () => {
    const before = await lived();
    const databaseUrl = await freshDatabase();
    const { code, output } = await copy(before.databaseUrl, databaseUrl);
    const content = await contentOf(before.databaseUrl);
    const counts = Object.fromEntries(copied.map((table) => [table, content[table]?.length]));
    const next =
      'Start the relay with this DATABASE_URL and the same key: RELAY_SECRET_KEY, or secret.key in RELAY_DATA_DIR.';
    expect([code, JSON.parse(output)]).toEqual([0, { ...counts, next }]);
    expect(counts).toMatchObject({ source: 1, token: 1, subscription: 3, event: 9, delivery: 10 });
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

  it('is of one moment, while events arrive', async () => {
    const running = await start();
    await subscribe(running, (await startReceiver()).url);
    const databaseUrl = await freshDatabase();
    let isCopied = false;
    const copying = copy(running.databaseUrl, databaseUrl).then(({ code }) => {
      isCopied = true;
      return code;
    });
    for (let id = 0; !isCopied; id += 1) {
      await running.deliver({ id, type });
      await running.relay.clock.advance(0);
    }
    expect(await copying).toBe(0);
    // Each attempt belongs to a delivery, and each delivery to an event.
    const { event, delivery, attempt } = await contentOf(databaseUrl);
    expect(attempt?.length).toBe(delivery?.length);
    expect(event?.length).toBeGreaterThanOrEqual(delivery?.length ?? 0);
  });

  it('has every table, or a reason why not', async () => {
    const { databaseUrl } = await start();
    const left = ['relay_migration', 'relay_migration_lock', 'sign_in_token'];
    const tables = await onDatabase(databaseUrl, (client) =>
      client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"),
    );
    const names = tables.rows.map(({ tablename }) => tablename);
    expect(names.sort()).toEqual([...copied, ...left].sort());
  });
});

async function withTable(table: string): Promise<string> {
  const databaseUrl = await freshDatabase();
  await onDatabase(databaseUrl, (client) => client.query(`CREATE TABLE ${table} (name text)`));
  return databaseUrl;
}

async function ofNewerRelay(): Promise<string> {
  const databaseUrl = await freshDatabase();
  const { db } = openPool(databaseUrl, () => undefined);
  const later = { up: async () => undefined };
  await migrate(db, { ...migrations, '9999-later': later }).finally(() => db.destroy());
  return databaseUrl;
}

const newer =
  'A newer relay has changed the tables of one of the databases. Copy with its release. Nothing was changed.';
const notEmpty = '--to must lead to an empty database, and this one has';
const refused: readonly [to: string, find: (own: string) => Promise<string>, message: string][] = [
  [
    'its own database',
    async (own) => own,
    "--to leads to the relay's own database. Name an empty one. Nothing was changed.",
  ],
  [
    'a database of another program',
    () => withTable('invoice'),
    `${notEmpty} the table invoice. Nothing was changed.`,
  ],
  [
    'a relay that is in use',
    async () => (await start()).databaseUrl,
    `${notEmpty} rows in the table source. Nothing was changed.`,
  ],
  ['the tables of a newer relay', ofNewerRelay, newer],
  [
    'a database that does not exist',
    async (own) => own.replace(/\/test_\w+/, '/nowhere'),
    '--to names the database "nowhere", which does not exist (3D000).',
  ],
  [
    'what is no address',
    async () => 'db.example.com',
    '--to must start with postgres:// or postgresql://.',
  ],
];

describe('a copy is refused', () => {
  it.each(refused)('to %s', async (_where, to, message) => {
    const { databaseUrl } = await start();
    const before = await contentOf(databaseUrl);
    expect(await copy(databaseUrl, await to(databaseUrl))).toEqual({
      code: 1,
      output: `${message}\n`,
    });
    expect(await contentOf(databaseUrl)).toEqual(before);
  });

  it('from the tables of a newer relay', async () => {
    const result = await copy(await ofNewerRelay(), await migratedDatabase());
    expect(result).toEqual({ code: 1, output: `${newer}\n` });
  });

  it('without a trace if it fails halfway', async () => {
    const { databaseUrl } = await lived();
    const to = await migratedDatabase();
    const constraint = `few_${randomUUID().slice(0, 8)}`;
    await onDatabase(to, (client) =>
      client.query(`ALTER TABLE attempt ADD CONSTRAINT ${constraint} CHECK (number > 1)`),
    );
    const { code, output } = await copy(databaseUrl, to);
    expect([code, output.includes(constraint)]).toEqual([1, true]);
    expect(Object.values(await contentOf(to)).flat()).toEqual([]);
  });
});
