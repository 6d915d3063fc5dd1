import { expect, it } from '@jest/globals';
import { SeededRandom } from '../../../packages/sandbox/src/state/random.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { eventually } from '../../support/eventually.ts';
import { migratedDatabase, onDatabase, start } from '../support/running-relay.ts';
import { installAudit } from './audit.ts';
import { attemptsFound } from './checks/attempts.ts';
import { Findings } from './findings.ts';
import { named, Scene } from './scene.ts';

const refuse = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full'; END $$;
CREATE TRIGGER refuse BEFORE INSERT ON attempt EXECUTE FUNCTION refuse();`;
const accept = `
DROP TRIGGER refuse ON attempt;
UPDATE lease SET leased_until = clock_timestamp();`;

it('a process that cannot write results attempts these events again once its leases expire', async () => {
  const errors: unknown[] = [];
  const databaseUrl = await migratedDatabase();
  const { relay, url } = await start({
    clock: 'running',
    databaseUrl: named(databaseUrl, 'relay-0'),
    onError: (error) => errors.push(String(error)),
  });
  await onDatabase(databaseUrl, (client) => client.query(installAudit));
  const scene = await Scene.open(
    { databaseUrl, admin: relay, next: () => url },
    new SeededRandom(1),
  );
  closeAfterTest(() => scene.close());
  await scene.put({ token: 0, target: 0 }, ['*']);
  await scene.query(refuse);
  const delivering = scene.deliver();
  await eventually(() => errors.length > 0, 'a result is refused');
  scene.end();
  await delivering;
  await scene.query(accept);
  const { length: sent } = scene.history.events;
  await eventually(async () => {
    const delivered = await scene.query("SELECT FROM delivery WHERE state = 'delivered'");
    return delivered.rowCount === sent;
  }, 'all are delivered');
  expect(errors).toEqual(['error: disk full']);
  const { figures, violations } = attemptsFound(await Findings.of(scene));
  expect(violations).toEqual([]);
  expect(figures.againUnwritten).toBeGreaterThan(0);
});
