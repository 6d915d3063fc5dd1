import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When the key of a token was last used, which operators look at before they revoke it. */
export const lastUse: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`ALTER TABLE token ADD COLUMN used_at timestamptz`.execute(database);
  },
};
