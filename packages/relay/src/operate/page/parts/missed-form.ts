import { html } from 'hono/html';
import type { SubscriptionRow } from '../../../subscribe/records.ts';
import { countMissing } from '../../../subscribe/redeliver.ts';
import type { Html, View } from '../view.ts';
import { actionButton } from './forms.ts';
import { moment } from './values.ts';

/**
 * Says how many events a subscription never got since a time, or since it was created, and delivers
 * them. Looks through one step of the log, as the relay does before it responds.
 */
export async function missedForm(
  { context, url }: View,
  id: string,
  row: SubscriptionRow,
  since: Date | undefined,
): Promise<Html> {
  const { count, hasMore } = await countMissing(context, row, since?.getTime());
  const start = moment(since ?? row.created_at);
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
