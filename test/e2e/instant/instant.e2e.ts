import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type EventName, events } from '@screen-advertising/core';
import type { Workflow } from '../support/n8n-api.ts';
import { openScene, type Scene } from './open-scene.ts';

const paid = 'campaign.paid';
const redeemed = 'coupon.redeemed';
const registered = 'user.registered';

const minute = 60_000;
const hour = 60 * minute;
/** By now what failed in the first minutes was attempted again in the third hour. */
const nextAttempt = 167 * minute;

describe('workflows that start through a relay', { timeout: 1_800_000 }, () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  after(() => scene?.close());

  describe('there is one subscription for each published workflow', () => {
    let workflow: Workflow;

    it('when it is published, renamed, and its events are changed', async () => {
      workflow = await scene.make('Coupons', [redeemed]);
      await scene.publish(workflow);
      await scene.settled();
      await change({ name: 'Redeemed coupons' });
      await change({ chosen: [paid, redeemed] });
      await change({ chosen: [paid] });
    });

    async function change({ name, chosen }: { name?: string; chosen?: EventName[] }) {
      const { api } = scene.world;
      const { versionId, nodes, ...known } = await api.workflow(workflow.id);
      const changed = nodes.map((node) =>
        node.name === 'Event' && chosen
          ? { ...node, parameters: { ...node.parameters, events: chosen } }
          : node,
      );
      await api.rest('PATCH', `/workflows/${workflow.id}`, {
        versionId,
        name: name ?? known.name,
        nodes: changed,
      });
      await scene.publish(workflow);
      await scene.settled();
    }

    it('when it is duplicated, and imported', async () => {
      const { api } = scene.world;
      const { nodes, ...known } = await api.workflow(workflow.id);
      const { connections, settings } = known as unknown as Record<string, unknown>;
      // As n8n's editor duplicates a workflow.
      const copies = nodes.map((node) =>
        node.webhookId === undefined ? node : { ...node, webhookId: randomUUID() },
      );
      const copy = { name: 'Copy', nodes: copies, connections, settings };
      await scene.publish(await api.createWorkflow(copy));
      await scene.settled();
      // A file keeps the ID of the webhook, which n8n gives to one workflow at a time.
      const imported = await api.createWorkflow({ ...copy, name: 'Imported', nodes });
      await assert.rejects(api.publish(imported), /webhook|conflict/i);
      await scene.settled();
      await scene.unpublish(workflow);
      await scene.publish(imported);
      await scene.settled();
    });

    it('and none when it is unpublished', async () => {
      for (const id of [...scene.published.keys()]) await scene.unpublish({ id });
      await scene.settled();
    });

    it('when n8n is down for an hour, whose events arrive when it is back, and moves to another public URL', async () => {
      const { world, advance, happens } = scene;
      await scene.publish(await scene.make('All events', Object.keys(events) as EventName[]));
      await scene.publish(workflow);
      await scene.settled();
      await world.stop('main');
      for (let count = 0; count < 3; count += 1) {
        await happens(paid);
        await advance(4 * minute);
      }
      await advance(hour - 12 * minute);
      scene.setAhead(nextAttempt);
      scene.moveTo('proxy');
      await scene.start();
      await scene.catchUp();
      await scene.everythingStarted();
      for (const id of [...scene.published.keys()]) {
        await scene.unpublish({ id });
        await scene.publish({ id });
      }
      await scene.settled();
      await scene.leaveOwn();
    });
  });

  describe('an event starts a workflow once, unless a person asks for more', () => {
    const name = 'Registrations';
    let event: string;

    it('though a response is lost: the retry shows as a duplicate', async () => {
      await scene.publish(await scene.make(name, [registered]));
      await scene.settled();
      scene.loseResponse();
      event = await scene.happens(registered);
      await scene.advance(0);
      await scene.advance(minute);
      await scene.everythingStarted();
      assert.deepEqual(await scene.world.relay.notDelivered(event), ['ignored duplicate']);
    });

    it('a replay starts it again', async () => {
      await scene.replay(registered, event);
      await scene.everythingStarted();
      assert.deepEqual(await scene.world.relay.notDelivered(event), []);
    });

    it('one that the workflow does not want starts nothing, and shows that reason', async () => {
      const other = await scene.happens('campaign_request.created');
      await scene.world.relay.replay(other, name);
      await scene.advance(0);
      assert.deepEqual(await scene.world.relay.notDelivered(other), ['ignored not_wanted']);
      await scene.everythingStarted();
    });
  });

  it('one that is published while the relay is down is subscribed once the relay is back', async () => {
    const { relay } = scene.world;
    const workflow = await scene.make('Published while the relay is down', [redeemed]);
    await relay.stop();
    await scene.publish(workflow);
    await relay.start();
    await scene.settled();
  });
});
