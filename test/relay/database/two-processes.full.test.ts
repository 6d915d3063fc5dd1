import { expect, it } from '@jest/globals';
import { freshDatabase, onDatabase } from '../support/database.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey } from '../support/running-relay.ts';

it('two processes that start at once on an empty database migrate it once, and both serve', async () => {
  const DATABASE_URL = await freshDatabase();
  const start = (role: string) =>
    RelayProcess.start({ DATABASE_URL, RELAY_SECRET_KEY: secretKey, RELAY_ROLE: role });
  const started = await Promise.allSettled([start('ingress'), start('sender')]);
  const processes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(processes.flatMap(({ crashes }) => crashes)).toEqual([]);
    const { rows } = await onDatabase(DATABASE_URL, (client) =>
      client.query('SELECT name, count(*)::integer AS times FROM relay_migration GROUP BY name'),
    );
    expect(rows).toEqual([{ name: '0001-tables', times: 1 }]);
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
  }
});
