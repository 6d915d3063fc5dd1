/** What happened, as those saw it who asked for it. Times are milliseconds of one clock. */

/** One token and one target, which have one row for its whole life. */
export interface Place {
  readonly token: number;
  readonly target: number;
}

interface Asked {
  readonly sentAt: number;
  answeredAt: number;
}

export interface Put extends Asked, Place {
  readonly events: readonly string[];
  readonly replaces: boolean;
  id: string;
  generation: number;
}

/** A request, or a response, after which the relay may stop delivering. */
export interface Stop extends Asked {
  readonly kind: 'DELETE' | 'off' | 'gone' | 'key' | 'skip' | 'prune';
  /** Undefined for all that the other members do not exclude. */
  readonly token?: number;
  readonly target?: number;
  /** A DELETE names both: an earlier one of the row is stale. */
  readonly id?: string;
  readonly generation?: number;
}

export interface SentEvent {
  readonly number: number;
  readonly type: string;
  readonly sentAt: number;
  readonly acknowledgedAt: number;
}

export class History {
  readonly puts: Put[] = [];
  readonly stops: Stop[] = [];
  readonly events: SentEvent[] = [];

  /** The requests of a place that have a response, in the order of their responses. */
  putsOf({ token, target }: Place): readonly Put[] {
    return this.puts
      .filter((put) => put.token === token && put.target === target && put.generation > 0)
      .sort((one, other) => one.answeredAt - other.answeredAt);
  }

  /** A time that no two things share. */
  now(): number {
    return performance.timeOrigin + performance.now();
  }
}

/** Whether a subscription to these names wants an event of the type. */
export function wants(names: readonly string[], type: string): boolean {
  return names.includes(type) || names.includes('*');
}
