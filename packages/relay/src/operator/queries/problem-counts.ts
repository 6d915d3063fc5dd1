import { sql } from 'kysely';
import type { RelayContext } from '../../context.ts';

/** Stop counting here: a dead list can grow for years. */
const most = 1_000;

export interface ProblemCounts {
  readonly dead: string;
  readonly pending: string;
  readonly off: string;
}

/** Problems that an operator may have to look into, counted up to a limit. */
export async function countProblems({ db }: RelayContext): Promise<ProblemCounts> {
  const { rows } = await sql<Record<keyof ProblemCounts, number>>`
    SELECT
      (SELECT count(*)::integer FROM (
        SELECT FROM source CROSS JOIN LATERAL (
          SELECT FROM delivery WHERE delivery.source_number = source.number AND delivery.state = 'dead'
          ORDER BY delivery.source_number, delivery.state, delivery.position LIMIT ${most + 1}
        ) AS one LIMIT ${most + 1}
      ) AS dead) AS dead,
      (SELECT count(*)::integer FROM (
        SELECT FROM subscription CROSS JOIN LATERAL (
          SELECT FROM delivery
          WHERE delivery.subscription_number = subscription.number AND delivery.state = 'pending'
          ORDER BY delivery.next_at LIMIT ${most + 1}
        ) AS one LIMIT ${most + 1}
      ) AS pending) AS pending,
      (SELECT count(*)::integer FROM (
        SELECT FROM subscription WHERE state = 'off' AND deleted_at IS NULL LIMIT ${most + 1}
      ) AS off) AS off`.execute(db);
  const [row] = rows;
  const shown = (count = 0) =>
    count > most ? `over ${most.toLocaleString('en-US')}` : String(count);
  return { dead: shown(row?.dead), pending: shown(row?.pending), off: shown(row?.off) };
}
