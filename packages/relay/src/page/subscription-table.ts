import { htmlTable } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { sql } from 'kysely';
import { subscriptionId } from '../base/ids.ts';
import type { RelayContext } from '../log/context.ts';
import { emptyBacklog, readBacklogs, type SubscriptionBacklog } from '../log/waiting.ts';
import { requestedNames } from '../log/wants.ts';
import type { SubscriptionRow } from '../subscribe/records.ts';
import { countMissingEvents } from '../subscribe/redeliver.ts';
import { actionButton } from './forms.ts';
import { formatMoment, reasonText, shownName, stateBadge, timeBetween } from './values.ts';
import type { Html, PageInput } from './view.ts';

const counted = 100;
/** Waiting events are counted up to this number, so that a page of subscriptions stays fast. */
const most = 1_000;

export async function subscriptionTable(
  context: RelayContext,
  rows: readonly SubscriptionRow[],
): Promise<Html> {
  const now = context.clock.now();
  const numbers = rows.map(({ number }) => number);
  const [rates, standings] = await Promise.all([
    recentOutcomes(context, numbers),
    readBacklogs(context.db, numbers, { now, most }),
  ]);
  return htmlTable({
    name: 'Subscriptions',
    columns: [
      'Subscription',
      'State',
      'Waiting',
      'Pending',
      shareLabel,
      'p95',
      'Events',
      'Token',
      'Source',
    ],
    rows: rows.map((row) =>
      cells(row, rates.get(row.number), { ...emptyBacklog, ...standings.get(row.number), now }),
    ),
    ids: rows.map(subscriptionId),
    empty: 'No subscriptions. Create a token, and paste its connector key into a connector.',
  });
}

function cells(
  row: SubscriptionRow,
  rate: Outcomes | undefined,
  standing: SubscriptionBacklog & { readonly now: number },
) {
  const name = shownName(row.name);
  const target = html`<code class="wraps">${row.target_url}</code>`;
  return [
    html`<a class="wraps" href="/operator/subscriptions/${subscriptionId(row)}">${name ?? target}</a>${name ? html`<br>${target}` : ''}`,
    html`<span class="wraps">${subscriptionStateBadge(row, standing)}</span>`,
    countText(standing.unread, most),
    countText(standing.pending, most),
    shareDelivered(rate),
    p95Cell(rate),
    html`<span class="wraps">${requestedNames(row.events).join(', ')}</span>`,
    row.token,
    row.source,
  ];
}

export const shareLabel: string = `Delivered of last ${counted}`;

/** For example `98 % of 100`, or `0 % of 4, 4 ignored`. */
export function shareDelivered(rate: Outcomes | undefined): Html | string {
  if (!rate) return html`<span class="quiet">-</span>`;
  const ignored = rate.ignored > 0 ? `, ${rate.ignored} ignored` : '';
  return `${Math.floor((rate.delivered / rate.attempted) * 100)} % of ${rate.attempted}${ignored}`;
}

export function p95Cell(rate: Outcomes | undefined): Html | string {
  return rate ? `${rate.p95.toLocaleString('en-US')} ms` : html`<span class="quiet">-</span>`;
}

export function offReasonText({ off_reason, target_url }: SubscriptionRow): Html {
  return html`${stateBadge('off')} ${reasonText(off_reason, target_url)}`;
}

export function subscriptionStateBadge(
  row: SubscriptionRow,
  {
    failing_since,
    last_error,
    now,
  }: Pick<SubscriptionBacklog, 'failing_since' | 'last_error'> & { readonly now: number },
): Html {
  if (row.state === 'off') return offReasonText(row);
  return failing_since
    ? html`${stateBadge('pending', 'failing')} for ${timeBetween(failing_since, now)} (since ${formatMoment(failing_since)})${last_error ? `: ${last_error}` : ''}`
    : stateBadge('active');
}

/** For example `12`, or `1,000 or more`, since what waits is counted up to a limit. */
export function countText(count: number, limit: number): string {
  return count >= limit ? `${limit.toLocaleString('en-US')} or more` : String(count);
}

/** The latest attempts of a subscription's newest deliveries, counted. */
interface Outcomes {
  readonly attempted: number;
  readonly delivered: number;
  readonly ignored: number;
  /** Milliseconds until 95 % of them had a response or failed. */
  readonly p95: number;
}

/**
 * By subscription, for those that have attempts. Reads a fixed number of rows for each, by index.
 * Among the pending deliveries, those with the latest next attempt are the ones that have failed.
 */
export async function recentOutcomes(
  { db }: Pick<RelayContext, 'db'>,
  subscriptions: readonly number[],
): Promise<ReadonlyMap<number, Outcomes>> {
  const key = sql`source_number, position, subscription_number`;
  const newest = (state: 'delivered' | 'ignored' | 'dead') => sql`(
    SELECT ${key}, state FROM delivery
    WHERE state = ${sql.lit(state)} AND subscription_number = wanted.number
    ORDER BY subscription_number DESC, state DESC, position DESC LIMIT ${counted})`;
  const { rows } = await sql<Outcomes & { number: number }>`
    SELECT wanted.number, count(*)::integer AS attempted,
      (count(*) FILTER (WHERE recent.state = 'delivered'))::integer AS delivered,
      (count(*) FILTER (WHERE recent.state = 'ignored'))::integer AS ignored,
      (percentile_disc(0.95) WITHIN GROUP (ORDER BY latest.duration_ms))::integer AS p95
    FROM unnest(${subscriptions}::integer[]) AS wanted (number)
    CROSS JOIN LATERAL (
      SELECT * FROM (
        ${newest('delivered')} UNION ALL ${newest('ignored')} UNION ALL ${newest('dead')} UNION ALL (
          SELECT ${key}, state FROM (
            SELECT ${key}, state, attempts FROM delivery
            WHERE state = 'pending' AND subscription_number = wanted.number
            ORDER BY subscription_number DESC, next_at DESC LIMIT ${counted}
          ) AS waiting WHERE attempts > 0)
      ) AS attempted ORDER BY position DESC LIMIT ${counted}
    ) AS recent
    CROSS JOIN LATERAL (
      SELECT duration_ms FROM attempt
      WHERE attempt.source_number = recent.source_number AND attempt.position = recent.position
        AND attempt.subscription_number = recent.subscription_number
      ORDER BY attempt.number DESC LIMIT 1
    ) AS latest
    GROUP BY wanted.number`.execute(db);
  return new Map(rows.map(({ number, ...rate }) => [number, rate]));
}

/**
 * Says how many events a subscription never got since a time, or since it was created, and delivers
 * them. Looks through one step of the log, as the relay does before it responds.
 */
export async function missedEventsForm(
  { context, url }: PageInput,
  id: string,
  row: SubscriptionRow,
  since: Date | undefined,
): Promise<Html> {
  const { count, hasMore } = await countMissingEvents(context, row, since?.getTime());
  const start = formatMoment(since ?? row.created_at);
  if (count === 0 && !hasMore) return html`<p>It got every event of its types since ${start}.</p>`;
  const many = `${hasMore ? 'at least ' : ''}${count.toLocaleString('en-US')}`;
  const fields = { subscription: id, missing: 'true', ...(since && { since: since.toJSON() }) };
  // Back to the page without the question.
  const button = actionButton(new URL(url.pathname, url), {
    action: 'subscriptions.redeliver',
    label: `Deliver ${count === 1 && !hasMore ? 'it' : `all ${many}`}`,
    fields,
  });
  return html`<p>It never got ${many} since ${start}. Its workflow runs for each, also for one that another subscription got.</p>
${button}`;
}
