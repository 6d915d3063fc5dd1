/** What a run asked for, and what it saw. Times are milliseconds of the machine's clock. */

/** One token and one target, which have one row for its whole life. */
export interface Place {
  readonly token: number;
  readonly target: number;
}

interface Asked {
  readonly sentAt: number;
  /** Infinity without a response: it may have been carried out, or not. */
  answeredAt: number;
}

export interface Put extends Asked, Place {
  readonly events: readonly string[];
  /** Of the response, without its generation. */
  id: string;
  generation: number;
}

export interface Delete extends Asked, Place {
  readonly id: string;
  readonly generation: number;
}

export interface Erase extends Asked {
  readonly event: number;
}

export interface SentEvent extends Asked {
  readonly number: number;
  readonly type: string;
}

/** A request that arrived at a target. */
export interface Arrival {
  readonly target: number;
  readonly at: number;
  readonly signature: string;
  readonly webhookId: string;
  readonly body: string;
  status: number;
}

/** While a process did nothing. */
export interface Pause {
  readonly from: number;
  until: number;
}

export const types = ['campaign.paid', 'coupon.redeemed', 'user.registered'] as const;

export class History {
  readonly puts: Put[] = [];
  readonly deletes: Delete[] = [];
  readonly erases: Erase[] = [];
  readonly events: SentEvent[] = [];
  readonly arrivals: Arrival[] = [];
  readonly pauses: Pause[] = [];

  /** The requests of a place that have a response, in the order of their generations. */
  putsOf({ token, target }: Place): readonly Put[] {
    return this.puts
      .filter((put) => put.token === token && put.target === target && put.generation > 0)
      .sort((one, other) => one.answeredAt - other.answeredAt);
  }
}

/** Adds a request that has no response yet. */
export function note<One extends Asked>(list: One[], what: Omit<One, keyof Asked>): One {
  const answeredAt = Number.POSITIVE_INFINITY;
  const asked = { ...what, sentAt: Date.now(), answeredAt } as One;
  list.push(asked);
  return asked;
}

/** Whether a subscription to these names wants an event of the type. */
export function wants(names: readonly string[], type: string): boolean {
  return names.includes(type) || names.includes('*');
}
