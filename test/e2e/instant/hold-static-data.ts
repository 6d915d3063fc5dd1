import { Client } from 'pg';
import { waitFor } from '../support/wait.ts';

export interface Hold {
  /** Resolves once n8n is about to store what its nodes keep. */
  reached(): Promise<void>;
  /** What waits is given up, as it is with a machine that is lost. */
  release(): Promise<void>;
}

const key = 19;

/** n8n's database waits whenever n8n stores what its nodes keep, such as the ID of a subscription. */
export async function holdStaticData(connectionString: string): Promise<Hold> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(`
    SELECT pg_advisory_lock(${key});
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(${key}); RETURN NEW; END';
    CREATE TRIGGER hold BEFORE UPDATE OF "staticData" ON workflow_entity
      FOR EACH ROW EXECUTE FUNCTION hold()`);
  const waiting = `FROM pg_locks WHERE locktype = 'advisory' AND objid = ${key} AND NOT granted`;
  return {
    reached: () =>
      waitFor({ what: 'n8n to store the ID', withinMs: 120_000, everyMs: 20 }, async () => {
        const { rowCount } = await client.query(`SELECT ${waiting}`);
        return (rowCount ?? 0) > 0 || undefined;
      }).then(() => undefined),
    async release() {
      await client.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
      await client.query(`
        DROP TRIGGER hold ON workflow_entity;
        DROP FUNCTION hold;
        SELECT pg_advisory_unlock(${key})`);
      await client.end();
    },
  };
}
