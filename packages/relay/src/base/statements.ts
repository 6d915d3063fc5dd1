import { type RawBuilder, sql } from 'kysely';
import type { QueryConfig } from 'pg';

/**
 * A statement with parameters such as `:now`, which each connection prepares once. Returns what runs it
 * with values.
 */
export function preparedStatement<Values extends object>(
  name: string,
  statement: string,
): (values: Values) => QueryConfig {
  const names: string[] = [];
  const text = statement.replace(/(?<!:):([a-z]\w*)/gi, (_, parameter: string) => {
    if (!names.includes(parameter)) names.push(parameter);
    return `$${names.indexOf(parameter) + 1}`;
  });
  return (values) => ({ name, text, values: names.map((one) => values[one as keyof Values]) });
}

/**
 * Adds a condition only if its value is defined. Kysely's builder is for statements that lock nothing and
 * are the same each time; with a lock or an optional condition, a statement is SQL.
 */
export function sqlIf<Value>(
  value: Value | undefined,
  condition: (value: Value) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return value === undefined ? sql`` : condition(value);
}

const maxTries = 5;
/** A deadlock, and a row that another statement changed first. */
const conflicts = ['40P01', '40001'];

/** Runs a statement again when PostgreSQL ended it because of another one, such as a sender's. */
export async function retryOnConflict<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!conflicts.includes(code) || tries === maxTries) throw error;
    }
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface BatchOptions {
  readonly most: number;
  /** How long an item may wait for others. Default: only for items added in the same tick. */
  readonly lingerMs?: number;
  /** Statements that may run at once, in any order. Default: 1. */
  readonly atOnce?: number;
}

/** Runs one statement for many items. Items added while all statements run wait for the next one. */
export class BatchedStatement<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatchOptions;
  #waiting: Waiting<Item, Result>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running = 0;
  #isPlanned = false;
  #isAsked = false;
  /** Resolves when the next statement takes its items. */
  #taken = Promise.withResolvers<void>();

  /** `run` returns a result for each item, in the same order. */
  constructor(run: (items: readonly Item[]) => Promise<readonly Result[]>, options: BatchOptions) {
    this.#run = run;
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#plan();
    });
  }

  /** Resolves while fewer items wait than a statement takes. */
  async room(): Promise<void> {
    while (this.#waiting.length >= this.#options.most) await this.#taken.promise;
  }

  flush(): void {
    this.#isAsked = true;
    this.#plan();
  }

  #plan(): void {
    const { most, lingerMs, atOnce = 1 } = this.#options;
    if (this.#isPlanned || this.#running >= atOnce) return;
    if (this.#waiting.length === 0) {
      this.#isAsked = false;
    } else if (lingerMs === undefined || this.#isAsked || this.#waiting.length >= most) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#isPlanned = true;
      setImmediate(() => void this.#next());
    } else {
      this.#timer ??= setTimeout(() => this.flush(), lingerMs);
    }
  }

  async #next(): Promise<void> {
    this.#isPlanned = false;
    this.#running += 1;
    this.#isAsked = false;
    const batch = this.#waiting.splice(0, this.#options.most);
    this.#taken.resolve();
    this.#taken = Promise.withResolvers();
    this.#plan();
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      for (const [nth, { resolve }] of batch.entries()) resolve(results[nth] as Result);
    } catch (error) {
      // If the database refuses one item, the others must still succeed.
      if (batch.length > 1 && isOfOneItem(error)) await this.#runEach(batch);
      else for (const { reject } of batch) reject(error);
    } finally {
      this.#running -= 1;
      this.#plan();
    }
  }

  async #runEach(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    for (const { item, resolve, reject } of batch) {
      await this.#run([item]).then(([result]) => resolve(result as Result), reject);
    }
  }
}

/**
 * Whether the item itself is at fault: a value that PostgreSQL cannot store, or that breaks a
 * constraint or limit.
 */
function isOfOneItem(error: unknown): boolean {
  return /^(?:22|23|54)/.test((error as { code?: string }).code ?? '');
}

/** Turns rows into one array per column, as `unnest` takes them. */
export function rowsToColumns(rows: readonly (readonly unknown[])[]): unknown[][] {
  return Array.from({ length: rows[0]?.length ?? 0 }, (_, nth) => rows.map((row) => row[nth]));
}
