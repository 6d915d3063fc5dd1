import { setTimeout as sleep } from 'node:timers/promises';
import { type EventName, events } from '@screen-advertising/core';
import type { Delivery, Sandbox } from '@screen-advertising/sandbox';
import { say } from '../support/machine.ts';
import { waitFor } from '../support/wait.ts';

interface LoadOptions {
  readonly sandbox: Sandbox;
  readonly count: number;
  /** At the most; fewer where the machine cannot take them. */
  readonly perSecond: number;
  /** How many events have had their effect. */
  readonly done: () => number;
  /** What happens on the way: after how many events. */
  readonly incidents?: readonly { readonly after: number; readonly happen: () => Promise<void> }[];
}

/** The most deliveries that may wait for their response. */
const maxUnderWay = 16;

/** So many events may be without their effect: the queue never outgrows what the machine can do. */
const maxInFlight = 64;

/** When nothing moved for so long, nothing will: twice what Redis keeps a dead worker's jobs. */
const stalledAfterMs = 300_000;

/**
 * Fires events, as many as the workflows keep up with, and waits until the service has delivered
 * or given up each.
 */
export async function deliver(options: LoadOptions): Promise<Map<string, Delivery>> {
  const { sandbox, count, perSecond, done, incidents = [] } = options;
  const names = Object.keys(events) as EventName[];
  const seen = new Map<string, Delivery>();
  const keep = (deliveries: readonly Delivery[]) => {
    for (const delivery of deliveries) seen.set(delivery.eventId, delivery);
  };
  const underWay = new Set<Promise<unknown>>();
  const follow = (work: Promise<unknown>) => {
    const followed = work.finally(() => underWay.delete(followed));
    underWay.add(followed);
  };
  const failures: unknown[] = [];
  let next = performance.now();
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, next - performance.now()));
    while (underWay.size >= maxUnderWay) await Promise.race(underWay);
    const room = () => index - done() < maxInFlight;
    await waitFor(
      { what: 'room for another event', withinMs: stalledAfterMs, everyMs: 20, progress: done },
      room,
    );
    next = Math.max(next, performance.now()) + 1000 / perSecond;
    for (const { after, happen } of incidents)
      if (after === index) follow(happen().catch((error) => failures.push(error)));
    const name = names[index % names.length];
    if (name) follow(sandbox.fire(name).then(keep));
    if (index > 0 && index % 1000 === 0) say(`${index} of ${count} events`);
    // The sandbox forgets old deliveries; those that were sent again are looked at meanwhile.
    if (index % perSecond === 0)
      keep(sandbox.deliveries.list().filter(({ eventId }) => seen.has(eventId)));
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  say(`${count} events`);
  const pending = () => [...seen.values()].filter(({ status }) => status === 'pending').length;
  // The longest pause between two attempts is ten minutes.
  const retries = { withinMs: 600_000 + stalledAfterMs, everyMs: 500, progress: pending };
  await waitFor({ what: 'the last retries', ...retries }, () => {
    keep(sandbox.deliveries.list());
    return pending() === 0;
  });
  return seen;
}
