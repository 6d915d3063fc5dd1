import { signWebhook } from '@screen-advertising/core';
import {
  type Audit,
  byTransaction,
  type Noted,
  type Query,
  readAudit,
  type SubscriptionRow,
} from './audit.ts';
import type { Arrival, History, Place } from './history.ts';

/** Longer than a sender takes to notice a change, on a busy machine. */
export const noticeMs = 5_000;

interface StoredAttempt {
  readonly subscription: number;
  readonly position: number;
  readonly status: number | null;
  readonly hasResponse: boolean;
  /** Its subscriber may have accepted. */
  readonly hasTimedOut: boolean;
}

interface StoredEvent {
  readonly number: number;
  readonly position: number;
  readonly isErased: boolean;
  /** Infinity for one that is still stored. */
  readonly prunedAt: number;
}

const own = 'source_number = (SELECT max(number) FROM source)';
const attempts = `SELECT subscription_number AS subscription, position::integer, status,
  response IS NOT NULL AS "hasResponse",
  coalesce(error LIKE 'no response within %', false) AS "hasTimedOut" FROM attempt WHERE ${own}`;
const whole = `SELECT position::integer FROM event WHERE body IS NOT NULL AND ${own}`;

/** What the checks take of a scene. */
interface Examined {
  readonly history: History;
  readonly tokens: readonly { readonly name: string; readonly keys: readonly Key[] }[];
  readonly targets: { urlOf(target: number): string };
  readonly places: readonly Place[];
  isRevoked(place: Place): boolean;
  readonly query: Query;
}

interface Key {
  readonly signingSecret: string;
}

/** All that a run left: what was asked and seen, and what the database noted. */
export class Findings {
  readonly history: History;
  readonly audit: Audit;
  /** Each transaction that changed a subscription. */
  readonly changes: readonly Noted<SubscriptionRow>[];
  readonly attempts: readonly StoredAttempt[];
  readonly events: readonly StoredEvent[];
  readonly #scene: Examined;
  /** By the number of the token in the database. */
  readonly #tokens: ReadonlyMap<number, number>;
  readonly #positions: ReadonlyMap<number, number>;

  private constructor(
    scene: Examined,
    audit: Audit,
    rows: Pick<Findings, 'attempts' | 'events'>,
    tokens: ReadonlyMap<number, number>,
  ) {
    this.#scene = scene;
    this.history = scene.history;
    this.audit = audit;
    this.changes = byTransaction(audit.subscriptions, ({ number }) => number);
    this.attempts = rows.attempts;
    this.events = rows.events;
    this.#tokens = tokens;
    this.#positions = new Map(rows.events.map(({ number, position }) => [number, position]));
  }

  static async of(scene: Examined): Promise<Findings> {
    const audit = await readAudit((text) => scene.query(text));
    const { rows: named } = await scene.query(`SELECT number, name FROM token WHERE ${own}`);
    const tokens = new Map<number, number>(
      named.map(({ number, name }) => [number, scene.tokens.findIndex((one) => one.name === name)]),
    );
    const left = new Set((await scene.query(whole)).rows.map(({ position }) => position));
    const pruned = new Map(audit.events.map(({ before, at }) => [before?.position, at]));
    const events = audit.events.flatMap(({ after }): StoredEvent[] => {
      if (typeof after?.number !== 'number') return [];
      const { number, position } = after;
      const prunedAt = pruned.get(position) ?? Number.POSITIVE_INFINITY;
      return [{ number, position, isErased: !left.has(position), prunedAt }];
    });
    const rows = { attempts: (await scene.query(attempts)).rows, events };
    return new Findings(scene, audit, rows, tokens);
  }

  get places(): readonly Place[] {
    return this.#scene.places;
  }

  isRevoked(place: Place): boolean {
    return this.#scene.isRevoked(place);
  }

  positionOf(event: number): number {
    return this.#positions.get(event) ?? Number.NaN;
  }

  /** What happened to the rows of a place: more than one, if one was pruned. */
  changesOf(place: Place): readonly Noted<SubscriptionRow>[] {
    return this.changes.filter((change) => this.isAt(change, place));
  }

  isAt({ before, after }: Noted<SubscriptionRow>, { token, target }: Place): boolean {
    const row = after ?? before;
    return (
      this.#tokens.get(row?.token_number ?? 0) === token &&
      row?.target_url === this.#scene.targets.urlOf(target)
    );
  }

  /** By the key that signed it: tokens have subscriptions to the same targets. */
  placeOf({ target, signature, body }: Arrival): Place | undefined {
    const timestamp = Number(/^t=(\d+)/.exec(signature)?.[1]);
    const token = this.#scene.tokens.findIndex(({ keys }) =>
      keys.some(({ signingSecret: secret }) =>
        signature.includes(signWebhook({ body, secret, timestamp }).split(',')[1] ?? '-'),
      ),
    );
    return token < 0 ? undefined : { token, target };
  }
}

/** Without its generation. */
export function publicId(uuid: string): string {
  return `sub_${uuid.replaceAll('-', '')}`;
}

export function nameOf({ token, target }: Place): string {
  return `token ${token}, target ${target}`;
}

/** A subscription at some time, until its next change. */
interface Version {
  readonly row: SubscriptionRow;
  readonly from: number;
  readonly until: number;
}

export function versionsOf(changes: readonly Noted<SubscriptionRow>[]): readonly Version[] {
  return changes.flatMap(({ at, after }, nth) =>
    after
      ? [{ row: after, from: at, until: changes[nth + 1]?.at ?? Number.POSITIVE_INFINITY }]
      : [],
  );
}

/** The position after which a subscription, or a job, wants events of a type. */
export function sinceOf(
  { events: names, since }: Pick<SubscriptionRow, 'events' | 'since'>,
  type: string,
): number {
  const all = names.flatMap((name, nth) =>
    name === type || name === '*' ? [since[nth] ?? 0] : [],
  );
  return Math.min(...all);
}
