import type { QueryResult } from 'pg';

/**
 * The database notes each change of a row that a subscription has, with its transaction and the process
 * that made it. Claims of leases are slow, so that two processes meet in them, and so is pruning, so that
 * requests meet in it.
 */
export const installAudit = `
CREATE TABLE audit (
  nth bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  transaction text NOT NULL DEFAULT pg_current_xact_id()::text,
  process text NOT NULL DEFAULT current_setting('application_name'),
  place text NOT NULL,
  before jsonb,
  after jsonb
);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO audit (place, before, after) VALUES (TG_TABLE_NAME,
    CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
  RETURN NULL;
END $$;
CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_sleep(random() * 0.02);
  RETURN NEW;
END $$;
CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON subscription FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON delivery FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON job FOR EACH ROW EXECUTE FUNCTION note();
CREATE FUNCTION note_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO audit (place, after) VALUES ('event', jsonb_build_object('position', NEW.position,
      'number', convert_from(NEW.body, 'UTF8')::jsonb -> 'data' -> 'number'));
  ELSE
    INSERT INTO audit (place, before) VALUES ('event', jsonb_build_object('position', OLD.position));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note AFTER INSERT OR DELETE ON event FOR EACH ROW
  EXECUTE FUNCTION note_event();
CREATE TRIGGER delay BEFORE DELETE ON event FOR EACH STATEMENT EXECUTE FUNCTION delay();
CREATE TRIGGER note AFTER INSERT ON lease FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER changed AFTER UPDATE ON lease FOR EACH ROW
  WHEN (OLD.owner IS DISTINCT FROM NEW.owner OR OLD.starts <> NEW.starts
    OR OLD.served_at IS DISTINCT FROM NEW.served_at)
  EXECUTE FUNCTION note();
CREATE TRIGGER delay BEFORE UPDATE ON lease FOR EACH ROW
  WHEN (NEW.owner IS NOT NULL AND OLD.owner IS DISTINCT FROM NEW.owner) EXECUTE FUNCTION delay();`;

/** The address of a database for a process whose changes are noted under this name. */
export function named(databaseUrl: string, name: string): string {
  return `${databaseUrl}&application_name=${name}`;
}

/** The name of those who change the database by hand, to let time pass. */
export const byHand = 'test';

export type Query = (text: string) => Promise<QueryResult>;

export interface SubscriptionRow {
  readonly number: number;
  readonly id: string;
  readonly generation: number;
  readonly starts: number;
  readonly token_number: number;
  readonly target_url: string;
  readonly events: readonly string[];
  readonly since: readonly number[];
  readonly position: number;
  readonly skipped_from: number | null;
  readonly state: 'active' | 'off';
  readonly off_reason: string | null;
}

interface LeaseRow {
  readonly subscription_number: number;
  readonly starts: number;
  readonly owner: string | null;
  readonly leased_until: string | null;
  /** When it was claimed last. */
  readonly served_at: string | null;
}

export interface JobRow {
  readonly number: number;
  readonly kind: 'again' | 'retry' | 'missing' | 'of';
  readonly subscription_number: number;
  readonly of_number: number;
  readonly events: readonly string[];
  readonly since: readonly number[];
  readonly position: number;
  readonly until: number;
}

interface DeliveryRow {
  readonly position: number;
  readonly subscription_number: number;
  readonly state: 'pending' | 'delivered' | 'ignored' | 'dead';
  readonly reason: string | null;
  readonly replays: number;
}

interface EventRow {
  readonly position: number;
  /** Of an event of the service, once it is stored. */
  readonly number?: number | null;
}

/** A change of one row; one without `before` added it, one without `after` deleted it. */
export interface Noted<Row> {
  readonly at: number;
  readonly transaction: string;
  readonly process: string;
  readonly before: Row | null;
  readonly after: Row | null;
}

export interface Audit {
  readonly subscriptions: readonly Noted<SubscriptionRow>[];
  readonly leases: readonly Noted<LeaseRow>[];
  readonly jobs: readonly Noted<JobRow>[];
  readonly deliveries: readonly Noted<DeliveryRow>[];
  readonly events: readonly Noted<EventRow>[];
}

export async function readAudit(query: Query): Promise<Audit> {
  const { rows } = await query('SELECT * FROM audit ORDER BY nth');
  const of = <Row>(place: string): Noted<Row>[] =>
    rows.flatMap((row) => (row.place === place ? [{ ...row, at: row.at.getTime() }] : []));
  return {
    subscriptions: of<SubscriptionRow>('subscription'),
    leases: of<LeaseRow>('lease'),
    jobs: of<JobRow>('job'),
    deliveries: of<DeliveryRow>('delivery'),
    events: of<EventRow>('event'),
  };
}

/** The changes of one transaction as one, in the order in which the rows were locked. */
export function byTransaction<Row>(
  notes: readonly Noted<Row>[],
  keyOf: (row: Row) => string | number,
): readonly Noted<Row>[] {
  const groups = Map.groupBy(
    notes,
    ({ transaction, before, after }) => `${transaction} ${keyOf((after ?? before) as Row)}`,
  );
  return [...groups.values()].map((all) => {
    const [first, last] = [all[0] as Noted<Row>, all.at(-1) as Noted<Row>];
    return { ...last, before: first.before, after: last.after };
  });
}
