/**
 * A common table expression: the subscriptions with pending deliveries whose number is above
 * `after`, in order, and when the first delivery of each is due. It jumps through the index from
 * one to the next, so idle subscriptions cost nothing, and a backlog costs as much as one delivery.
 */
export const pendingSubscriptions = (after: string): string => `
RECURSIVE pending AS (
  (SELECT subscription_number, next_at FROM delivery
    WHERE state = 'pending' AND subscription_number > ${after}
    ORDER BY subscription_number, next_at LIMIT 1)
  UNION ALL
  SELECT following.* FROM pending CROSS JOIN LATERAL (
    SELECT subscription_number, next_at FROM delivery
    WHERE state = 'pending' AND subscription_number > pending.subscription_number
    ORDER BY subscription_number, next_at LIMIT 1
  ) AS following
)`;
