import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Events, deliveries and attempts have no foreign keys: each would cost a lookup for every row of
 * an ingest, and pruning deletes them in order anyway. No row is updated by every ingest either,
 * since all ingests would then wait for each other's commit.
 */
const statements = [
  `CREATE TABLE source (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_until timestamptz,
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE token (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_number integer NOT NULL REFERENCES source,
    name text NOT NULL,
    hash bytea NOT NULL UNIQUE,
    secret bytea NOT NULL,
    previous_hash bytea UNIQUE,
    previous_secret bytea,
    previous_until timestamptz,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz,
    UNIQUE (source_number, name)
  )`,
  `CREATE TABLE subscription (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    source_number integer NOT NULL REFERENCES source,
    token_number integer NOT NULL REFERENCES token,
    target_url text NOT NULL,
    events text[] NOT NULL,
    name text,
    state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'off')),
    off_reason text,
    failing_since timestamptz,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz
  )`,
  'CREATE UNIQUE INDEX subscription_once ON subscription (token_number, md5(target_url), events) WHERE deleted_at IS NULL',
  'CREATE INDEX subscription_of_source ON subscription (source_number)',
  `CREATE TABLE lease (
    subscription_number integer PRIMARY KEY REFERENCES subscription,
    owner uuid,
    leased_until timestamptz,
    paused_until timestamptz,
    failures_in_a_row integer NOT NULL DEFAULT 0,
    served_at timestamptz
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE event (
    source_number integer NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL,
    type text NOT NULL,
    body bytea NOT NULL,
    received_at timestamptz NOT NULL,
    PRIMARY KEY (source_number, id)
  )`,
  "CREATE UNIQUE INDEX event_once ON event (source_number, key) WHERE key LIKE 'id:%'",
  'CREATE INDEX event_by_type ON event (source_number, type, id)',
  `CREATE TABLE body (
    source_number integer NOT NULL,
    key text NOT NULL,
    received_at timestamptz NOT NULL,
    signed_at timestamptz NOT NULL,
    PRIMARY KEY (source_number, key)
  )`,
  `CREATE TABLE delivery (
    source_number integer NOT NULL,
    event_id uuid NOT NULL,
    subscription_number integer NOT NULL,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'dead')),
    reason text,
    attempts integer NOT NULL DEFAULT 0,
    attempts_since_replay integer NOT NULL DEFAULT 0,
    next_at timestamptz,
    PRIMARY KEY (source_number, event_id, subscription_number)
  ) WITH (fillfactor = 80)`,
  'CREATE INDEX delivery_of_subscription ON delivery (subscription_number, event_id)',
  "CREATE INDEX delivery_due ON delivery (subscription_number, next_at) WHERE state = 'pending'",
  "CREATE INDEX delivery_dead ON delivery (source_number, event_id, subscription_number) WHERE state = 'dead'",
  `CREATE TABLE attempt (
    source_number integer NOT NULL,
    event_id uuid NOT NULL,
    subscription_number integer NOT NULL,
    number integer NOT NULL,
    at timestamptz NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    PRIMARY KEY (source_number, event_id, subscription_number, number)
  )`,
  `CREATE TABLE end_notice (
    subscription_number integer PRIMARY KEY REFERENCES subscription,
    attempts integer NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL
  )`,
  `CREATE TABLE sign_in_token (
    hash bytea PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('link', 'session')),
    expires_at timestamptz NOT NULL
  )`,
];

export const tables: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
