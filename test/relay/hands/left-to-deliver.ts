import { onDatabase } from '../support/database.ts';

const active = "subscription.state = 'active'";
const wanted = "(event.type = one.name OR (one.name = '*' AND event.type NOT LIKE 'relay.%'))";

const statement = `SELECT
  EXISTS (SELECT FROM subscription JOIN event USING (source_number)
    CROSS JOIN unnest(events, since) AS one (name, since)
    WHERE ${active} AND event.position > greatest(subscription.position, one.since) AND ${wanted})
  OR EXISTS (SELECT FROM subscription JOIN delivery ON subscription_number = number
    WHERE ${active} AND delivery.state = 'pending')
  OR EXISTS (SELECT FROM subscription JOIN job ON subscription_number = subscription.number
    WHERE ${active}) AS is_left`;

/** Whether a relay on this database has anything left to deliver, however long it takes. */
export function leftToDeliver(databaseUrl: string): Promise<boolean> {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ is_left: boolean }>(statement);
    return rows[0]?.is_left ?? false;
  });
}
