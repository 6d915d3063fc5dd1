import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Targets that still get a DELETE because their subscriptions were switched off for good. */
export const farewell: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`CREATE TABLE farewell (
      subscription_number integer PRIMARY KEY REFERENCES subscription,
      attempts integer NOT NULL DEFAULT 0,
      next_at timestamptz NOT NULL
    )`.execute(database);
  },
};
