import { formatWebhookId, isRelayProblem } from '@screen-advertising/core/webhooks';
import type { RelayContext } from '../context.ts';
import { deliveryId, publicId } from '../log/database/ids.ts';
import { post } from '../subscribe/targets/post.ts';
import { requestHeaders, signaturesIn } from '../subscribe/targets/request-headers.ts';
import { responseRecord } from '../subscribe/targets/response-record.ts';
import { classifyAttempt } from './attempt-outcome.ts';
import type { Result } from './attempt-writer.ts';
import type { Lease } from './leases.ts';
import type { Due } from './work.ts';

interface Attempting {
  readonly context: RelayContext;
  readonly random: () => number;
}

/** Makes one attempt. Always resolves. */
export async function attempt(
  { context, random }: Attempting,
  lease: Lease,
  { position, event, type, attempts, attemptsSinceReplay, replays, nextAt, body }: Due,
  secrets: readonly string[],
): Promise<{ readonly result: Result; readonly retryAfterMs: number }> {
  const at = context.clock.now();
  // A person asked for it, which takes no step of the schedule.
  const scheduledAt = nextAt && nextAt.getTime() > at ? nextAt : undefined;
  const steps = scheduledAt ? attemptsSinceReplay : attemptsSinceReplay + 1;
  const id = formatWebhookId(publicId('evt', event), replays);
  const headers = requestHeaders({ id, attempt: attempts + 1, body, secrets, now: at });
  const posted = await post({ url: lease.targetUrl, headers, body, outbound: context.outbound });
  const { retryAfterMs, ...outcome } = classifyAttempt(posted, {
    attempts: steps,
    scheduledAt,
    now: context.clock.now(),
    random,
  });
  context.observer.attempted({
    delivery: deliveryId({ event, subscription: lease.subscription }),
    attempt: attempts + 1,
    status: posted.status,
    error: outcome.error,
    durationMs: posted.durationMs,
    state: outcome.state,
    reason: outcome.reason,
  });
  const result = {
    source: lease.source,
    position,
    event,
    subscription: lease.subscription,
    number: attempts + 1,
    attemptsSinceReplay: steps,
    replays,
    at: new Date(at),
    status: posted.status,
    durationMs: posted.durationMs,
    response: posted.response
      ? responseRecord(posted.response, [...secrets.flatMap(bothForms), ...signaturesIn(headers)])
      : null,
    ...outcome,
    // A dead delivery of a problem would cause the next one.
    isProblem: outcome.reason === 'retries_exhausted' && !isRelayProblem(type),
  };
  return { result, retryAfterMs };
}

/** With and without its prefix: verifiers remove it. */
function bothForms(secret: string): readonly string[] {
  return [secret, secret.replace(/^whsec_/, '')];
}
