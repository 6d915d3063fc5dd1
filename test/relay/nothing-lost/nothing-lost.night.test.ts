import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openEmbeddedPostgres } from '../../../packages/relay/src/postgres/embedded.ts';
import { Random } from '../../../packages/sandbox/src/random.ts';
import { seed } from '../../support/tier.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { killPostgres, postmasterOf } from './postgres.ts';
import { Service } from './service.ts';
import { environment, report, Setting, spread } from './setting.ts';

const [events, kills, restarts, powerCuts] = [20_000, 20, 4, 30];
const atOnce = 16;

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'nothing-lost-'));
const pick = (random: Random, processes: readonly RelayProcess[]) =>
  processes[random.integer(0, processes.length - 1)];

const nothingLost = {
  lost: 0,
  withSeveralIds: 0,
  strange: [],
  events,
  deadOfActive: 0,
};

describe(`${events} events for 5 subscribers`, () => {
  it(`arrive at each although senders, ingresses and PostgreSQL end ${kills}, ${kills} and ${restarts} times`, async () => {
    const folder = newFolder();
    let postgres = await openEmbeddedPostgres(folder);
    const { connectionString } = postgres;
    const setting = await Setting.prepare({ databaseUrl: connectionString });
    const start = (role: string) =>
      RelayProcess.start({ ...environment, DATABASE_URL: connectionString, RELAY_ROLE: role });
    const processes: RelayProcess[] = [];
    try {
      const ingresses = [await start('ingress'), await start('ingress')];
      const senders = [await start('sender'), await start('sender')];
      processes.push(...ingresses, ...senders);
      await setting.subscribe(ingresses[0]?.url ?? '');
      const service = new Service(ingresses.map(({ url }) => `${url}/in/main`));
      const stored = { total: events, done: () => service.acknowledged };
      const arrived = { total: events * 5, done: () => setting.arrived() };
      await Promise.all([
        service.deliver(events, atOnce),
        spread(new Random(seed), { times: kills, ...stored }, async (time) =>
          pick(new Random(seed + time), ingresses)?.kill(),
        ),
        spread(new Random(seed + 1), { times: kills, ...arrived }, async (time) =>
          pick(new Random(seed + time), senders)?.kill(),
        ),
        spread(new Random(seed + 2), { times: restarts, ...stored }, async (time) => {
          // Alternates between a fast and an immediate shutdown. The latter is a crash and leaves
          // all to recovery.
          process.kill(postmasterOf(folder), time % 2 ? 'SIGINT' : 'SIGQUIT');
          postgres = await openEmbeddedPostgres(folder);
        }),
      ]);
      await setting.finish(() => connectionString);
      const result = await setting.result(events, connectionString);
      report('Single processes killed', service, { kills: kills * 2, restarts, ...result });
      expect(result).toMatchObject(nothingLost);
      expect(result.deadOfGone).toBeGreaterThan(0);
      expect(processes.flatMap(({ crashes }) => crashes)).toEqual([]);
    } finally {
      await Promise.all(processes.map((one) => one.stop()));
      await setting.stop();
      await postgres.close();
    }
  });

  it(`arrive at each although everything ends at once ${powerCuts} times`, async () => {
    const folder = newFolder();
    const setting = await Setting.prepare({ dataDir: folder });
    const relay = await RelayProcess.start({ ...environment, RELAY_DATA_DIR: folder });
    try {
      await setting.subscribe(relay.url);
      const service = new Service([`${relay.url}/in/main`]);
      const arrived = { total: events * 5, done: () => setting.arrived() };
      await Promise.all([
        service.deliver(events, atOnce),
        spread(new Random(seed + 3), { times: powerCuts, ...arrived }, () =>
          relay.kill(() => killPostgres(folder)),
        ),
      ]);
      const postgres = await openEmbeddedPostgres(folder);
      try {
        await setting.finish(() => postgres.connectionString);
        const result = await setting.result(events, postgres.connectionString);
        report('Everything killed at once', service, { powerCuts, ...result });
        expect(result).toMatchObject(nothingLost);
        expect(relay.crashes).toEqual([]);
      } finally {
        await relay.stop();
        await postgres.close();
      }
    } finally {
      await relay.stop();
      await setting.stop();
    }
  });
});
