import { parseEvent } from '@screen-advertising/core';
import { eventKey } from '@screen-advertising/core/webhooks';
import type { RelayContext } from '../context.ts';
import { EventStore } from '../ingress/event-store.ts';
import { searchHashes } from '../records/event-search.ts';
import { findFailing } from './find-failing.ts';
import { markReported, nextProblem } from './next-problem.ts';
import { problemEvent } from './problem-event.ts';

/**
 * Stores an event about each new problem, which is delivered like any event. A process that dies
 * after it stored one reports it again, with the same ID.
 */
export async function reportProblems(
  context: RelayContext,
  publicUrl: string | undefined,
  mustStop: () => boolean,
): Promise<void> {
  const store = new EventStore(context);
  await findFailing(context);
  while (!mustStop()) {
    const problem = await nextProblem(context);
    if (!problem) return;
    const now = context.clock.now();
    const body = Buffer.from(JSON.stringify(problemEvent(problem, now, publicUrl)));
    const event = parseEvent(body);
    await store.write({
      source: problem.source,
      key: eventKey(event, body),
      type: event.type,
      body,
      searchHashes: searchHashes(problem.source, event),
      signedAt: now,
    });
    await markReported(context, problem);
  }
}
