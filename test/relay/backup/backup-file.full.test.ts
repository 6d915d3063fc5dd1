import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readBackup, uses } from '../../../packages/relay/src/backup/backup-file.ts';
import { SecretBox } from '../../../packages/relay/src/secrets/secret-box.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, secretKey, start } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const rounds = 50;
const box = new SecretBox(secretKey);
const otherBox = new SecretBox(Buffer.alloc(32, 9).toString('base64'));

let folder = '';
let running: Running;
let whole: Buffer;
/** Of the same relay, with one more event. */
let another: Buffer;

/** The number of events in a backup that is whole. */
async function eventsIn(file: string): Promise<number | undefined> {
  const rows = await readBackup(file, box, {
    header: async () => undefined,
    async table(_table, pieces) {
      for await (const _piece of pieces);
    },
  });
  return rows.event;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backups-'));
  running = await start();
  const { call, databaseUrl, relay } = running;
  const put = { target_url: 'http://127.0.0.1:9/', events: ['campaign.paid'] };
  await call('PUT', '/subscriptions', put);
  const stored = { count: 100, type: 'campaign.paid', state: 'delivered' } as const;
  await onDatabase(databaseUrl, (client) => storeEvents(client, stored));
  await relay.backup(join(folder, 'whole'));
  whole = await readFile(join(folder, 'whole'));
  await onDatabase(databaseUrl, (client) => storeEvents(client, { ...stored, count: 1 }));
  await relay.backup(join(folder, 'another'));
  another = await readFile(join(folder, 'another'));
});

describe('backups at the same moment', () => {
  it(`are whole ${rounds} times, and of two with one name one is refused`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const names = ['one', 'other', 'other'].map((name) => join(folder, `${name}-${round}`));
      const ended = await Promise.allSettled(names.map((name) => running.relay.backup(name)));
      const refused = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(refused).toMatchObject([{ code: 'backup' }]);
      for (const name of new Set(names)) expect(await eventsIn(name)).toBe(101);
    }
    const left = (await readdir(folder)).filter((name) => name.endsWith('.part'));
    expect(left).toEqual([]);
  });
});

/** What was done to the lines of a backup without its last one, which has the seal. */
type Change = (lines: string[], at: number) => string[];

const changes: Readonly<Record<string, Change>> = {
  'a character changed': (lines, at) =>
    lines.with(
      at,
      (lines[at] ?? '').replace(/.$/m, (last) => (last === '0' ? '1' : '0')),
    ),
  'a line removed': (lines, at) => lines.toSpliced(at, 1),
  'a line repeated': (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ''),
  'two lines swapped': (lines, at) =>
    lines.with(at, lines[at + 1] ?? '').with(at + 1, lines[at] ?? ''),
  'the rest of another backup': (lines, at) => [
    ...lines.slice(0, at),
    ...linesOf(another).slice(at, -1),
  ],
};

/** Seals of a backup, by a program without the key. */
const seals = {
  'by another key': otherBox.seal('0'.repeat(64), uses.digest).toString('base64'),
  'of another digest': box.seal('0'.repeat(64), uses.digest).toString('base64'),
  'of the key check': box.seal('backup', uses.keyCheck).toString('base64'),
  'that is empty': '',
  'that is no base64': '%',
};

const parts = [1, 2, 3, 4, 5].map((nth) => nth / 6);

describe('a file of a backup is refused', () => {
  const cases: [what: string, make: () => Buffer][] = [
    ...parts.flatMap((part): [string, () => Buffer][] => [
      [`cut off at ${part}`, () => whole.subarray(0, whole.length * part)],
      [
        `with a byte changed at ${part}`,
        () => {
          const bytes = Buffer.from(whole);
          const at = Math.floor(bytes.length * part);
          bytes[at] = (bytes[at] ?? 0) ^ 0x10;
          return bytes;
        },
      ],
    ]),
    ...Object.entries(changes).flatMap(([what, change]) =>
      parts.map((part): [string, () => Buffer] => [
        `with ${what} at ${part}`,
        () => {
          const lines = linesOf(whole);
          const before = lines.slice(0, -1);
          const changed = change(before, Math.floor(before.length * part));
          return gzipSync([...changed, lines.at(-1)].join(''));
        },
      ]),
    ),
    ...Object.entries(seals).map(([what, seal]): [string, () => Buffer] => [
      `with a seal ${what}`,
      () => {
        const lines = linesOf(whole);
        const last = { ...JSON.parse(lines.at(-1) ?? ''), seal };
        return gzipSync([...lines.slice(0, -1), `${JSON.stringify(last)}\n`].join(''));
      },
    ]),
  ];

  it('in 40 cases', () => {
    expect(cases).toHaveLength(40);
  });

  it.each(cases)('%s', async (_what, make) => {
    const made = make();
    expect(made.equals(whole)).toBe(false);
    const file = join(folder, 'made');
    await writeFile(file, made);
    await expect(eventsIn(file)).rejects.toMatchObject({ code: 'backup' });
  });
});

function linesOf(file: Buffer): string[] {
  return gunzipSync(file)
    .toString('utf8')
    .split(/(?<=\n)/);
}
