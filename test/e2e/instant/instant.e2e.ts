import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { EventName } from '@screen-advertising/core';
import type { Workflow } from '../support/n8n-api.ts';
import { openScene, type Scene } from './open-scene.ts';

const paid = 'campaign.paid';
const redeemed = 'coupon.redeemed';

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
