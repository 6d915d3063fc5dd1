import { visibleText } from '@screen-advertising/core/platform';
import { publicId } from '../database/uuid.ts';
import { reasonText } from '../records/reason-text.ts';
import type { Problem } from './next-problem.ts';

/**
 * The body of the event about a problem. Its ID is the same whichever process reports it, so it is
 * stored once. Chat programs show `text`.
 */
export function problemEvent(problem: Problem, now: number, publicUrl: string | undefined) {
  const { type, subscriptionId, targetUrl, count, at, eventId, eventType } = problem;
  const id = publicId('sub', subscriptionId);
  const page = publicUrl && `${publicUrl}/operator/subscriptions/${id}`;
  const message = messageOf(problem);
  return {
    id: `${type}:${id}:${at.getTime()}`,
    type,
    created_at: new Date(now).toISOString(),
    text: page ? `${plain(message)} ${page}` : plain(message),
    data: {
      message,
      problem: type.replace('relay.', ''),
      subscription_id: id,
      subscription_name: nameOf(problem),
      target_host: new URL(targetUrl).host,
      reason: reasonOf(problem),
      since: at.toISOString(),
      ...(type === 'relay.delivery_dead' && { deliveries: count }),
      ...(eventId && { event_id: publicId('evt', eventId), event_type: eventType }),
      ...(page && { page_url: page }),
    },
  };
}

function messageOf(problem: Problem): string {
  const { type, targetUrl, count, at, eventType, others } = problem;
  const who = `"${nameOf(problem)}" (${new URL(targetUrl).host})`;
  const why = reasonOf(problem);
  const since = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const deliveries =
    count === 1
      ? `A delivery of ${eventType ?? 'an event'}`
      : `${count} deliveries, the last one of ${eventType ?? 'an event'},`;
  const message = {
    'relay.subscription_failing': `${who} has not accepted an event since ${since}: ${why}. The relay retries, and switches the subscription off after five days.`,
    'relay.subscription_off': `${who} gets no more events: ${why}. Fix the cause, then switch the subscription on and recover.`,
    'relay.delivery_dead': `${deliveries} to ${who} failed for good: ${why}. Fix the cause, then replay.`,
  }[type];
  return others === 0
    ? message
    : `${message} ${others} other subscriptions have the same problem: see the relay's page.`;
}

function reasonOf({ type, offReason, error }: Problem): string {
  if (type !== 'relay.subscription_off') return error ?? 'every attempt failed';
  const reason = reasonText(offReason);
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}

function nameOf({ name, subscriptionId }: Problem): string {
  return visibleText(name ?? publicId('sub', subscriptionId));
}

/** Without what a chat program reads as a mention or a link: a subscriber chooses its name. */
function plain(message: string): string {
  return visibleText(message.replace(/[<>@[\]`*|]/g, ' '));
}
