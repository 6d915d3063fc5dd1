import { events } from '@screen-advertising/core';
import { isRelayProblem, relayProblem } from '@screen-advertising/core/webhooks';
import { sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { RelayError } from '../relay-error.ts';

/** Stands for every event of the service, including those that it adds later. */
export const everyEvent = '*';

/**
 * The names to subscribe to. Throws a RelayError for names that this version does not know and the source
 * has never received: a typing mistake would subscribe to nothing.
 */
export async function checkEventNames(
  { db }: Pick<RelayContext, 'db'>,
  source: number,
  names: readonly string[],
): Promise<readonly string[]> {
  const problems = names.filter(isRelayProblem);
  if (names.includes(everyEvent)) return [everyEvent, ...problems];
  const others = names.filter((name) => !Object.hasOwn(events, name) && !isRelayProblem(name));
  if (others.length === 0) return names;
  const { rows: missing } = await sql<{ name: string }>`
    SELECT name FROM unnest(${others}::text[]) AS name
    WHERE NOT EXISTS (SELECT FROM event WHERE source_number = ${source} AND type = name)
  `.execute(db);
  if (missing.length === 0) return names;
  const unknown = missing.map(({ name }) => JSON.stringify(name)).join(', ');
  throw new RelayError(
    'invalid_parameter',
    `events: the service has no event ${unknown}. Use ${Object.keys(events).join(', ')}, or "*" for all, including future ones. The relay has ${relayProblem.types.join(', ')}.`,
  );
}
