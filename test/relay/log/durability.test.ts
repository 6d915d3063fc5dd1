import { expect, it } from '@jest/globals';
import { startActor } from '../support/actor.ts';
import { migratedDatabase, onDatabase, start, subscribe } from '../support/running-relay.ts';

const noteCommits = `
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$;
CREATE TABLE noted (place text, waits text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO noted VALUES (TG_TABLE_NAME, current_setting('synchronous_commit'));
  RETURN NULL;
END $$;
CREATE TRIGGER note AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER note AFTER INSERT ON attempt FOR EACH ROW EXECUTE FUNCTION note()`;

it('an acknowledged event is on the disk, whatever attempts were recorded before; an attempt need not be', async () => {
  const databaseUrl = await migratedDatabase();
  await onDatabase(databaseUrl, (client) => client.query(noteCommits));
  const running = await start({ databaseUrl });
  const { url } = await startActor();
  await subscribe(running, url);
  for (const id of ['1', '2']) {
    expect((await running.deliver({ id, type: 'campaign.paid' })).status).toBe(202);
    await running.relay.clock.advance(1_000);
  }
  const { rows } = await running.query('SELECT * FROM noted');
  expect(rows).toEqual([
    { place: 'event', waits: 'on' },
    { place: 'attempt', waits: 'off' },
    { place: 'event', waits: 'on' },
    { place: 'attempt', waits: 'off' },
  ]);
});
