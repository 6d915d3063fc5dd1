import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { retryOnConflict } from './statements.ts';
import type { Tables } from './tables.ts';

/** Small tables that change constantly. By default, autovacuum waits for a share of their rows. */
const vacuumOften = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000`;

/** Large tables: pruning frees a part of them every hour. */
const vacuumSoon =
  'autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.2';

/**
 * Events are a log: positions grow in the order of commits. A subscription has a position in it, up
 * to which every event has been attempted. A delivery exists from its first attempt on, or since a
 * person asked for it.
 *
 * Events, deliveries and attempts have no foreign keys: each would cost a lookup for every row, and
 * pruning deletes them in order anyway.
 */
const tableStatements = [
  `CREATE TABLE source (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_until timestamptz,
    verified_at timestamptz,
    previous_verified_at timestamptz,
    scheme jsonb,
    scheme_since timestamptz,
    awaits_secret boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE refusal (
    source_number integer NOT NULL REFERENCES source,
    at timestamptz NOT NULL,
    reason text NOT NULL,
    bytes integer,
    headers text[] NOT NULL,
    is_readable boolean NOT NULL,
    age_seconds bigint,
    fits_source text
  )`,
  'CREATE INDEX refusal_of_source ON refusal (source_number, at)',
  `CREATE TABLE token (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_number integer NOT NULL REFERENCES source,
    name text NOT NULL,
    rights text[] NOT NULL CHECK (rights <> '{}'),
    hash bytea NOT NULL UNIQUE,
    secret bytea NOT NULL,
    previous_hash bytea UNIQUE,
    previous_secret bytea,
    previous_until timestamptz,
    has_unused_key boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz,
    UNIQUE (source_number, name)
  )`,
  // For its whole life, so `position` and each `since` only grow. Off is one state, with its reason.
  `CREATE TABLE subscription (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    generation integer NOT NULL DEFAULT 1,
    starts integer NOT NULL DEFAULT 1,
    skipping_start integer NOT NULL DEFAULT 0,
    source_number integer NOT NULL REFERENCES source,
    token_number integer NOT NULL REFERENCES token,
    target_url text NOT NULL,
    name text,
    events text[] NOT NULL,
    since bigint[] NOT NULL CHECK (cardinality(since) = cardinality(events)),
    position bigint NOT NULL,
    skipped_from bigint,
    state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'off')),
    off_reason text,
    stopped_at timestamptz,
    max_concurrency integer NOT NULL DEFAULT 4,
    created_at timestamptz NOT NULL,
    UNIQUE (token_number, target_url),
    CHECK ((state = 'off') = (off_reason IS NOT NULL) AND (state = 'off') = (stopped_at IS NOT NULL))
  ) WITH (fillfactor = 80, ${vacuumOften})`,
  // By what they want, so that one look at each kind finds all that have something to read.
  `CREATE INDEX subscription_reading ON subscription (source_number, events, position)
    WHERE state = 'active'`,
  `CREATE TABLE lease (
    subscription_number integer PRIMARY KEY REFERENCES subscription ON DELETE CASCADE,
    starts integer NOT NULL DEFAULT 1,
    owner uuid,
    leased_until timestamptz,
    paused_until timestamptz,
    failures_in_a_row integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    failed_at timestamptz,
    served_at timestamptz
  ) WITH (fillfactor = 50, ${vacuumOften})`,
  'CREATE INDEX lease_paused ON lease (paused_until) WHERE paused_until IS NOT NULL',
  'CREATE SEQUENCE event_position',
  `CREATE TABLE event (
    source_number integer NOT NULL,
    position bigint NOT NULL DEFAULT nextval('event_position'),
    id uuid NOT NULL UNIQUE,
    key text NOT NULL,
    type text NOT NULL,
    body bytea,
    search_hashes bigint[] NOT NULL DEFAULT '{}',
    received_at timestamptz NOT NULL,
    PRIMARY KEY (source_number, position)
  ) WITH (${vacuumSoon})`,
  "CREATE UNIQUE INDEX event_once ON event (source_number, key) WHERE key LIKE 'id:%'",
  'CREATE INDEX event_by_type ON event (source_number, type, position)',
  'CREATE INDEX event_by_time ON event (source_number, received_at)',
  'CREATE INDEX event_by_value ON event USING gin (search_hashes)',
  `CREATE TABLE erasure (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_number integer NOT NULL REFERENCES source,
    value_hash bigint,
    position bigint NOT NULL,
    until bigint NOT NULL,
    worked_at timestamptz NOT NULL
  )`,
  `CREATE TABLE pruned (
    source_number integer NOT NULL,
    type text NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (source_number, type)
  )`,
  `CREATE TABLE seen_body (
    source_number integer NOT NULL,
    key text NOT NULL,
    received_at timestamptz NOT NULL,
    signed_at timestamptz NOT NULL,
    PRIMARY KEY (source_number, key)
  )`,
  `CREATE TABLE delivery (
    source_number integer NOT NULL,
    position bigint NOT NULL,
    subscription_number integer NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'delivered', 'ignored', 'dead')),
    reason text,
    attempts integer NOT NULL,
    attempts_since_replay integer NOT NULL,
    replays integer NOT NULL,
    next_at timestamptz,
    PRIMARY KEY (source_number, position, subscription_number)
  ) WITH (${vacuumSoon})`,
  'CREATE INDEX delivery_of_subscription ON delivery (subscription_number, state, position)',
  "CREATE INDEX delivery_unsettled ON delivery (source_number, state, position) WHERE state <> 'delivered'",
  "CREATE INDEX delivery_due ON delivery (subscription_number, next_at) WHERE state = 'pending'",
  `CREATE TABLE attempt (
    source_number integer NOT NULL,
    position bigint NOT NULL,
    subscription_number integer NOT NULL,
    number integer NOT NULL,
    at timestamptz NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    response jsonb,
    PRIMARY KEY (source_number, position, subscription_number, number)
  ) WITH (${vacuumSoon})`,
  // PostgreSQL's statistics would keep samples of what an erasure cannot reach there.
  'ALTER TABLE event ALTER body SET STATISTICS 0',
  'ALTER TABLE attempt ALTER response SET STATISTICS 0',
  // A job stays once the subscription whose deliveries it reads is pruned.
  `CREATE TABLE job (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('again', 'retry', 'missing', 'of')),
    subscription_number integer NOT NULL REFERENCES subscription ON DELETE CASCADE,
    of_number integer NOT NULL,
    states text[] NOT NULL DEFAULT '{}',
    events text[] NOT NULL DEFAULT '{}',
    since bigint[] NOT NULL DEFAULT '{}',
    positions bigint[] NOT NULL DEFAULT '{}',
    position bigint NOT NULL,
    until bigint NOT NULL
  )`,
  'CREATE INDEX job_of_subscription ON job (subscription_number, number)',
  `CREATE TABLE problem (
    subscription_number integer NOT NULL REFERENCES subscription ON DELETE CASCADE,
    type text NOT NULL,
    count integer NOT NULL,
    at timestamptz NOT NULL,
    event_id uuid,
    reported_at timestamptz,
    PRIMARY KEY (subscription_number, type)
  )`,
  `CREATE TABLE hourly_count (
    hour timestamptz PRIMARY KEY,
    events integer NOT NULL,
    deliveries integer NOT NULL,
    failures integer NOT NULL
  )`,
  `CREATE TABLE sign_in_token (
    hash bytea PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('link', 'session')),
    expires_at timestamptz NOT NULL
  )`,
];

const tables: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of tableStatements) await sql.raw(statement).execute(database);
  },
};

/** When the key of a token was last used, which operators look at before they revoke it. */
const lastUse: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`ALTER TABLE token ADD COLUMN used_at timestamptz`.execute(database);
  },
};

/**
 * In the order of their names. One that was released never changes: a database that ran it does not
 * run it again. Older processes keep running while a new one migrates, so a migration only adds:
 * tables, indexes, nullable columns or columns with a default. What is no longer used is removed one
 * release after the last one that used it.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-tables': tables,
  '0002-last-use': lastUse,
};

const table = 'relay_migration';
const lockTable = `${table}_lock`;

/**
 * Migrates the database. Processes that start at the same time wait for each other with an advisory
 * lock, which ends with the process that holds it.
 */
export async function migrate(db: Kysely<Tables>, all = migrations): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...(await ranByNewer(db)), ...all }) },
    migrationTableName: table,
    migrationLockTableName: lockTable,
  });
  // It locks whole tables, one after the other, which processes that work already use.
  await retryOnConflict(async () => {
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  });
}

/** An older release that starts beside a newer one treats the newer migrations as done. */
async function ranByNewer(db: Kysely<Tables>): Promise<Record<string, Migration>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(table)}`.execute(db);
  return Object.fromEntries(rows.map(({ name }) => [name, { up: async () => undefined }]));
}
