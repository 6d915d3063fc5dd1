import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A migration that a later release may contain. */
export const later: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`ALTER TABLE event ADD COLUMN region text`.execute(db);
    await sql`ALTER TABLE subscription ADD COLUMN weight integer NOT NULL DEFAULT 1`.execute(db);
    await sql`CREATE TABLE region (name text PRIMARY KEY)`.execute(db);
  },
};
