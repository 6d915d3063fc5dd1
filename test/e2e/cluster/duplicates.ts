import type { Delivery } from '@screen-advertising/sandbox';

export interface Duplicate {
  readonly id: string;
  readonly executions: readonly string[];
  /** Why the event was executed again; undefined when nothing accounts for it. */
  readonly because: string | undefined;
}

interface Evidence {
  /** Executions that reached their effect, by the event's id. */
  readonly effects: ReadonlyMap<string, readonly string[]>;
  readonly deliveries: ReadonlyMap<string, Delivery>;
  /** Executions that were retries of crashed ones. */
  readonly retries: ReadonlySet<string>;
}

/** The events that were executed more than once, each with its explanation. */
export function duplicatesOf({ effects, deliveries, retries }: Evidence): Duplicate[] {
  return [...effects]
    .filter(([, executions]) => executions.length > 1)
    .map(([id, executions]) => {
      const [first, ...further] = deliveries.get(id)?.attempts ?? [];
      if (executions.some((execution) => retries.has(execution))) {
        return { id, executions, because: 'its worker died after the work, and it was retried' };
      }
      if (!first || further.length === 0) return { id, executions, because: undefined };
      const answer = first.status ?? first.error ?? 'no answer';
      return {
        id,
        executions,
        because: `delivered ${further.length + 1} times: n8n had it, but the first answer was ${answer} after ${Math.round(first.latencyMs)} ms`,
      };
    });
}
