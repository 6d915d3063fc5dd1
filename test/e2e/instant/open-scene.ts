import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { EventName } from '@screen-advertising/core';
import type { Workflow } from '../support/n8n-api.ts';
import { waitFor } from '../support/wait.ts';
import { instantWorkflow } from './instant-workflow.ts';
import { openInstantWorld } from './open-instant-world.ts';

const withinMs = 120_000;

interface Published {
  readonly path: string;
  readonly events: readonly EventName[];
}

/** What is published, and what has to start with each event. */
export type Scene = Awaited<ReturnType<typeof openScene>>;

/** A world whose clocks the tests move: those of the service and the relay. */
export async function openScene() {
  const world = await openInstantWorld();
  const origin = `http://127.0.0.1:${world.portOf('main')}`;
  const published = new Map<string, Published>();
  /** What was unpublished, and the IDs of the events that it has missed since. */
  const unpublished = new Map<string, Pick<Published, 'events'> & { readonly missed: string[] }>();
  /** Each workflow by each event that has to start it. */
  const expected: string[] = [];

  async function make(name: string, events: readonly EventName[]): Promise<Workflow> {
    const { api, credential, collector } = world;
    return await api.createWorkflow(
      instantWorkflow({ name, events, credential, collector: collector.url }),
    );
  }

  async function publish({ id }: Pick<Workflow, 'id'>): Promise<void> {
    await catchUp();
    const workflow = await world.api.workflow(id);
    const trigger = workflow.nodes.find(({ name }) => name === 'Event');
    if (!trigger) throw new Error(`${workflow.name} has no trigger.`);
    const path = `/webhook/${trigger.webhookId}/webhook`;
    await world.api.publish(workflow, `${origin}${path}`);
    const { events } = trigger.parameters as { events: EventName[] };
    published.set(id, { path, events });
    // The subscription to its address continues where it has stopped minutes before.
    for (const event of unpublished.get(path)?.missed ?? []) expected.push(`${event} ${id}`);
    unpublished.delete(path);
  }

  async function unpublish({ id }: Pick<Workflow, 'id'>): Promise<void> {
    await world.api.rest('POST', `/workflows/${id}/deactivate`);
    const former = published.get(id);
    if (former) unpublished.set(former.path, { events: former.events, missed: [] });
    published.delete(id);
  }

  /** Both clocks, since the relay takes no signature from another time. */
  async function advance(ms: number): Promise<void> {
    await world.sandbox.clock.advance(ms);
    await world.relay.advance(ms);
  }

  /** To the time of n8n, which takes no signature from another time either. */
  const catchUp = () => advance(Math.max(0, Date.now() - world.sandbox.clock.now()));

  /** Returns the ID that the service gave the event. */
  async function happens(type: EventName): Promise<string> {
    const [delivery] = await world.sandbox.fire(type);
    const event = String(delivery?.eventId);
    for (const [workflow, { events }] of published) {
      if (events.includes(type)) expected.push(`${event} ${workflow}`);
    }
    for (const { events, missed } of unpublished.values()) {
      if (events.includes(type)) missed.push(event);
    }
    return event;
  }

  async function everythingStarted(): Promise<void> {
    const { effects } = world.collector;
    await waitFor(
      { what: 'the executions', withinMs, everyMs: 20, progress: () => effects.size },
      () =>
        expected.every(
          (key) =>
            (effects.get(key)?.length ?? 0) >= expected.filter((other) => other === key).length,
        ),
    );
    const started = [...effects].flatMap(([key, executions]) => executions.map(() => key));
    assert.deepEqual(started.sort(), [...expected].sort(), 'each workflow starts once');
  }

  /** One live subscription for each published workflow, and an event starts each of them once. */
  async function settled(): Promise<void> {
    const wanted = [...published.values()]
      .map(({ path, events }) => `${origin}${path} ${[...events].sort().join(' ')}`)
      .sort();
    // n8n reports a workflow as published before it has subscribed and stored the subscription.
    await waitFor({ what: 'n8n to publish', withinMs, everyMs: 20 }, isPublished);
    await waitFor({ what: `the subscriptions ${wanted}`, withinMs, everyMs: 20 }, async () =>
      isDeepStrictEqual(await world.relay.live(), wanted),
    );
    await catchUp();
    for (const type of ['campaign.paid', 'coupon.redeemed'] as const) await happens(type);
    await advance(0);
    await everythingStarted();
    assert.deepEqual(await world.relay.live(), wanted);
  }

  async function isPublished(): Promise<boolean> {
    for (const id of published.keys()) {
      const { status } = await world.api.rest<{ status: string }>(
        'GET',
        `/workflows/${id}/publication-status`,
      );
      if (status !== 'published') return false;
    }
    return true;
  }

  return { world, published, make, publish, unpublish, settled, close: () => world.close() };
}
