import type { RelayContext } from '../context.ts';
import { deliveryId } from '../database/delivery-id.ts';
import { publicId } from '../database/uuid.ts';
import { openSecrets } from '../secrets/open-secrets.ts';
import { type OffReason, switchOff } from '../subscriptions/switch-off.ts';
import { batchSize, type DueDeliveries, type DueDelivery } from './due-deliveries.ts';
import { judge } from './judge.ts';
import type { Lane } from './lanes.ts';
import type { Ledger } from './ledger.ts';
import { post } from './post.ts';
import { signatureHeaders } from './signatures.ts';

export interface LaneTools {
  readonly context: RelayContext;
  readonly deliveries: DueDeliveries;
  readonly ledger: Ledger;
  readonly random: () => number;
  /** Whether to leave the lane after the attempt under way. */
  readonly mustLeave: () => boolean;
  /** Whether other lanes wait for a place. */
  readonly isCrowded: () => boolean;
  /** Whether this process has not worked another lane for a while. */
  readonly isAlone: () => boolean;
}

/** State of the lane when the process leaves it. */
export interface LaneEnd {
  readonly failuresInARow: number;
  readonly pausedUntil: Date | null;
}

const day = 24 * 3_600_000;
const longestFailingMs = 5 * day;
/** A subscriber that is down gets fewer and fewer attempts, but at least one a minute. */
const failuresBeforePause = 3;
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * Concurrent deliveries to a subscriber that accepts them and has more than one batch waiting.
 * Wider while no other lane is active, since a wide backlog slows down deliveries to others.
 */
const backlogWidth = 4;
const loneBacklogWidth = 16;

/** Sends the due deliveries of one subscription: one by one, or a few at a time for a backlog. */
export async function workLane(tools: LaneTools, lane: Lane): Promise<LaneEnd> {
  const { context } = tools;
  let failures = lane.failuresInARow;
  let failingSince = lane.failingSince?.getTime();
  let pauseMs = 0;
  let offReason: OffReason | undefined;
  const secrets = openSecrets(context, lane, 'token');
  const writes: Promise<void>[] = [];
  const written = async () => {
    tools.ledger.flush();
    await Promise.all(writes.splice(0));
  };
  const leave = async (): Promise<LaneEnd> => {
    await written();
    const pausedUntil = pauseMs > 0 ? new Date(context.clock.now() + pauseMs) : null;
    return { failuresInARow: failures, pausedUntil };
  };
  const mustLeave = () => pauseMs > 0 || offReason !== undefined || tools.mustLeave();
  const deliver = async (delivery: DueDelivery) => {
    const { status, waitMs, recorded } = await attempt(tools, lane, delivery, secrets);
    writes.push(recorded);
    const now = context.clock.now();
    if (status !== null && status >= 200 && status < 300) {
      failures = 0;
      if (failingSince !== undefined) await markFailing(context, lane, null);
      failingSince = undefined;
      return;
    }
    failures += 1;
    if (failingSince === undefined) await markFailing(context, lane, new Date(now));
    failingSince ??= now;
    if (status === 410) offReason = 'gone';
    else if (now - failingSince >= longestFailingMs) offReason ??= 'failing';
    pauseMs = Math.max(pauseMs, waitMs, pauseAfter(failures));
  };
  for (;;) {
    const due = await tools.deliveries.of(lane);
    const isBacklog = failures === 0 && due.length === batchSize;
    // The concurrent workers share what is left.
    const left = due.values();
    const some = async (_: unknown, nth: number) => {
      for (const delivery of left) {
        if (mustLeave() || (nth >= backlogWidth && !tools.isAlone())) return;
        await deliver(delivery);
      }
    };
    const width = isBacklog ? (tools.isAlone() ? loneBacklogWidth : backlogWidth) : 1;
    await Promise.all(Array.from({ length: width }, some));
    if (offReason) {
      const reason = offReason;
      await written();
      await context.db
        .transaction()
        .execute((transaction) =>
          switchOff(transaction, lane.subscription, reason, context.clock.now()),
        );
      context.tidy();
      pauseMs = 0;
      return leave();
    }
    if (mustLeave()) return leave();
    await written();
    if (due.length < batchSize || tools.isCrowded()) return leave();
  }
}

async function attempt(
  { context, ledger, random }: LaneTools,
  lane: Lane,
  { event, attempts, tries, body }: DueDelivery,
  secrets: readonly string[],
) {
  const at = context.clock.now();
  const posted = await post({
    url: lane.targetUrl,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'screen-advertising-relay',
      'x-relay-attempt': String(attempts + 1),
      ...signatureHeaders({ id: publicId('evt', event), body, secrets, now: at }),
    },
    body,
    outbound: context.outbound,
  });
  const verdict = judge(posted, { tries: tries + 1, now: context.clock.now(), random });
  context.observer.attempted({
    delivery: deliveryId({ event, subscription: lane.subscription }),
    attempt: attempts + 1,
    status: posted.status,
    error: verdict.error,
    durationMs: posted.durationMs,
    state: verdict.state,
  });
  const written = ledger.write({
    source: lane.source,
    subscription: lane.subscription,
    event,
    number: attempts + 1,
    tries: tries + 1,
    at: new Date(at),
    status: posted.status,
    error: verdict.error,
    durationMs: posted.durationMs,
    state: verdict.state,
    reason: verdict.reason,
    nextAt: verdict.nextAt,
  });
  // Awaited before the lane is left, so mark a rejection until then as handled.
  written.catch(() => undefined);
  return { status: posted.status, waitMs: verdict.waitMs, recorded: written };
}

function pauseAfter(failures: number): number {
  if (failures < failuresBeforePause) return 0;
  return Math.min(firstPauseMs * 2 ** (failures - failuresBeforePause), longestPauseMs);
}

async function markFailing({ db }: RelayContext, lane: Lane, since: Date | null): Promise<void> {
  await db
    .updateTable('subscription')
    .set({ failing_since: since })
    .where('number', '=', lane.subscription)
    .execute();
}
