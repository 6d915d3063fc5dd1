import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Small tables that change constantly. By default, autovacuum waits for a share of their rows. */
const vacuumOften = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000`;

/**
 * Events, deliveries and attempts have no foreign keys: each would cost a lookup for every row of
 * an ingest, and pruning deletes them in order anyway.
 *
 * A delivery moves to another partition with its state, so each state has an index for every filter
 * and the queue stays small. No constraint covers several partitions: only an ingest adds deliveries,
 * of a new event, or a job that holds a lock on the subscription.
 *
 * Events, attempts and what was delivered grow without end, so there are partitions for each day,
 * which pruning drops. They are added ahead of time; what belongs to none is in the default ones.
 * No index is unique across them, so the keys that detect duplicates are in a separate table. Its
 * partitions, one after the other, are called generations.
 */
const statements = [
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
    replaces_number integer,
    ends_with_key boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz
  )`,
  'CREATE UNIQUE INDEX subscription_once ON subscription (token_number, md5(target_url), events) WHERE deleted_at IS NULL',
  'CREATE INDEX subscription_of_target ON subscription (token_number, md5(target_url))',
  'CREATE INDEX subscription_of_source ON subscription (source_number)',
  'CREATE INDEX subscription_replacing ON subscription (replaces_number)',
  `CREATE TABLE lease (
    subscription_number integer PRIMARY KEY REFERENCES subscription,
    owner uuid,
    leased_until timestamptz,
    paused_until timestamptz,
    failures_in_a_row integer NOT NULL DEFAULT 0,
    served_at timestamptz
  ) WITH (fillfactor = 50, ${vacuumOften})`,
  'CREATE SEQUENCE event_position',
  `CREATE TABLE event (
    source_number integer NOT NULL,
    id uuid NOT NULL,
    position bigint NOT NULL DEFAULT nextval('event_position'),
    key text NOT NULL,
    type text NOT NULL,
    body bytea NOT NULL,
    search_hashes bigint[] NOT NULL DEFAULT '{}',
    received_at timestamptz NOT NULL,
    PRIMARY KEY (source_number, id)
  ) PARTITION BY RANGE (id)`,
  'CREATE TABLE event_default PARTITION OF event DEFAULT',
  'CREATE INDEX event_by_position ON event (source_number, position)',
  'CREATE INDEX event_by_type ON event (source_number, type, id)',
  'CREATE INDEX event_by_value ON event USING gin (search_hashes)',
  `CREATE TABLE pruned (
    source_number integer NOT NULL,
    type text NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (source_number, type)
  )`,
  'CREATE TABLE key_generation (started_at timestamptz PRIMARY KEY)',
  `CREATE TABLE event_key (
    generation timestamptz NOT NULL,
    source_number integer NOT NULL,
    key text NOT NULL,
    PRIMARY KEY (source_number, key, generation)
  ) PARTITION BY LIST (generation)`,
  'CREATE TABLE event_key_default PARTITION OF event_key DEFAULT',
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
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'ignored', 'dead')),
    reason text,
    attempts integer NOT NULL DEFAULT 0,
    attempts_since_replay integer NOT NULL DEFAULT 0,
    replays integer NOT NULL DEFAULT 0,
    next_at timestamptz,
    PRIMARY KEY (source_number, event_id, subscription_number, state)
  ) PARTITION BY LIST (state)`,
  `CREATE TABLE delivery_pending PARTITION OF delivery FOR VALUES IN ('pending')
    WITH (fillfactor = 80, ${vacuumOften})`,
  `CREATE TABLE delivery_delivered PARTITION OF delivery FOR VALUES IN ('delivered')
    PARTITION BY RANGE (event_id)`,
  'CREATE TABLE delivery_delivered_default PARTITION OF delivery_delivered DEFAULT',
  "CREATE TABLE delivery_ignored PARTITION OF delivery FOR VALUES IN ('ignored')",
  "CREATE TABLE delivery_dead PARTITION OF delivery FOR VALUES IN ('dead')",
  'CREATE INDEX delivery_of_subscription ON delivery (subscription_number, event_id)',
  'CREATE INDEX delivery_due ON delivery_pending (subscription_number, next_at)',
  `CREATE TABLE attempt (
    source_number integer NOT NULL,
    event_id uuid NOT NULL,
    subscription_number integer NOT NULL,
    number integer NOT NULL,
    at timestamptz NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    response jsonb,
    PRIMARY KEY (source_number, event_id, subscription_number, number)
  ) PARTITION BY RANGE (event_id)`,
  'CREATE TABLE attempt_default PARTITION OF attempt DEFAULT',
  `CREATE TABLE job (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('replay', 'replay_missing', 'retry', 'take_over')),
    source_number integer NOT NULL,
    subscription_number integer,
    replaced_number integer,
    state text,
    after_event uuid NOT NULL,
    after_subscription integer NOT NULL,
    until_event uuid NOT NULL,
    batches integer NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE problem (
    subscription_number integer NOT NULL,
    type text NOT NULL,
    count integer NOT NULL,
    at timestamptz NOT NULL,
    event_id uuid,
    reported_at timestamptz,
    PRIMARY KEY (subscription_number, type)
  )`,
  `CREATE TABLE end_notice (
    subscription_number integer PRIMARY KEY REFERENCES subscription,
    attempts integer NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL
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

export const tables: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
