import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const operatorPass: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`CREATE TABLE operator_pass (
      hash bytea PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('link', 'session')),
      expires_at timestamptz NOT NULL
    )`.execute(database);
  },
};
