import { events } from '@screen-advertising/core';
import { isRelayProblem, relayProblem } from '@screen-advertising/core/webhooks';
import { sql } from 'kysely';
import { RelayError } from '../base/relay-error.ts';
import type { RelayContext } from '../context.ts';
import { everyEvent } from '../log/database/wants.ts';

interface Place {
  readonly source: number;
  readonly token: number;
  readonly targetUrl: string;
}

/**
 * The names to subscribe to. Throws a RelayError for names that this version does not know, the source
 * has never received, and the subscription does not have: a typing mistake would subscribe to nothing.
 */
export async function checkEventNames(
  { db }: Pick<RelayContext, 'db'>,
  { source, token, targetUrl }: Place,
  names: readonly string[],
): Promise<readonly string[]> {
  const problems = names.filter(isRelayProblem);
  if (names.includes(everyEvent)) return [everyEvent, ...problems];
  const others = names.filter((name) => !Object.hasOwn(events, name) && !isRelayProblem(name));
  if (others.length === 0) return names;
  const { rows: missing } = await sql<{ name: string }>`
    SELECT asked.name FROM unnest(${others}::text[]) AS asked (name)
    WHERE NOT EXISTS (SELECT FROM event WHERE source_number = ${source} AND type = asked.name)
      AND NOT EXISTS (
        SELECT FROM subscription
        WHERE token_number = ${token} AND target_url = ${targetUrl} AND asked.name = ANY (subscription.events)
      )
  `.execute(db);
  if (missing.length === 0) return names;
  const unknown = missing.map(({ name }) => JSON.stringify(name)).join(', ');
  throw new RelayError(
    'invalid_parameter',
    `events: the service has no event ${unknown}. Use ${Object.keys(events).join(', ')}, or "*" for all, including future ones. The relay has ${relayProblem.types.join(', ')}.`,
  );
}
