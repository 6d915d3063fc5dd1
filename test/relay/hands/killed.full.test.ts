import { mkdtempSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { openEmbeddedPostgres } from '../../../packages/relay/src/postgres/embedded.ts';
import { seed, tier } from '../../support/tier.ts';
import { killPostgres } from '../nothing-lost/postgres.ts';
import { environment } from '../nothing-lost/setting.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey, sourceSecret } from '../support/running-relay.ts';
import { Hub } from './hub.ts';
import { changeHands } from './run.ts';

const runs = tier === 'nightly' ? 200 : 1;

it(`programs get every event although relays and PostgreSQL are killed, in ${runs} runs`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hands-'));
  let postgres = await openEmbeddedPostgres(folder);
  const { connectionString } = postgres;
  const processes: RelayProcess[] = [];
  try {
    const admin = () => createRelay({ databaseUrl: connectionString, secretKey, role: 'ingress' });
    const first = await admin();
    await first.sources.add('main', sourceSecret);
    await first.close();
    for (const role of ['ingress', 'ingress', 'sender', 'sender']) {
      const settings = { ...environment, DATABASE_URL: connectionString, RELAY_ROLE: role };
      processes.push(await RelayProcess.start(settings));
    }
    for (let run = 0; run < runs; run += 1) {
      let killing = Promise.resolve();
      const relay = await admin();
      try {
        const hub = new Hub(
          processes.slice(0, 2).map(({ url }) => url),
          relay,
        );
        const result = await changeHands(hub, {
          seed: seed + run,
          operations: 8,
          kill(random) {
            killing = killing.then(async () => {
              if (random.chance(0.8)) return processes[random.integer(0, 3)]?.kill();
              killPostgres(folder);
              postgres = await openEmbeddedPostgres(folder);
            });
            return killing;
          },
        });
        writeSync(1, `\nKilled: ${JSON.stringify(result)}\n`);
        expect(result).toMatchObject({ lost: 0 });
      } finally {
        await relay.close();
      }
    }
    expect(processes.flatMap(({ crashes }) => crashes)).toEqual([]);
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
    await postgres.close();
  }
});
