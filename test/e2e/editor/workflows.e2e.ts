import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventName } from '@screen-advertising/core';
import { openCollector } from '../support/collector.ts';
import type { Workflow } from '../support/n8n-api.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { readExamples, webhookUrl } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { collecting } from '../support/workflows.ts';

const installing = { timeout: 1_200_000 };
const finished = ['success', 'error', 'crashed', 'canceled'];

describe('workflows on a real n8n', { timeout: 300_000 }, () => {
  let world: World;

  before(async () => {
    world = await openWorld();
  }, installing);

  after(async () => {
    await world?.close();
  });

  it('the examples of the package succeed when they are imported and started', async () => {
    const examples = await readExamples(world.credentials);
    assert.ok(examples.length >= 3, `${examples.length} examples`);
    for (const example of examples) {
      const workflow = await world.api.createWorkflow(example);
      await start(world, workflow);
      const execution = await waitFor(
        { what: `an execution of "${workflow.name}"`, withinMs: 60_000 },
        async () => {
          const [latest] = await world.api.executions({ workflowId: workflow.id });
          return latest && finished.includes(latest.status) && world.api.execution(latest.id);
        },
      );
      const error = execution.data?.resultData?.error?.message;
      assert.equal(execution.status, 'success', `${workflow.name}: ${error}`);
    }
  });

  it('remembers every event: one that is delivered again is acknowledged and starts nothing', async () => {
    const { api, sandbox, credentials } = world;
    const collector = await openCollector();
    const workflow = await api.createWorkflow(collecting(credentials, collector.url));
    const url = webhookUrl(api.url, workflow);
    await api.publish(workflow, url);
    const { id } = sandbox.webhooks.add({ url });
    const fired = [];
    for (const event of ['campaign.paid', 'user.registered', 'campaign.paid'] as const) {
      fired.push(...(await sandbox.fire(event)));
    }
    sandbox.webhooks.remove(id);

    const again = await Promise.all(
      fired.map((delivery) => sandbox.deliveries.redeliver(delivery.id)),
    );

    // A process that only knows them from a moment ago answers 503.
    assert.deepEqual(
      again.map(({ attempts }) => attempts.at(-1)?.status),
      [200, 200, 200],
    );
    await waitFor({ what: 'the executions', withinMs: 20_000 }, () => collector.effects.size === 3);
    const executions = await api.executions({ workflowId: workflow.id });
    collector.close();
    assert.equal(executions.length, 3);
  });
});

/** By an event where the service starts it, and otherwise as the editor's button does. */
async function start({ api, sandbox }: World, workflow: Workflow): Promise<void> {
  const trigger = workflow.nodes.find(({ type }) => /trigger$/i.test(type));
  if (!trigger) throw new Error(`${workflow.name} has no trigger.`);
  if (!trigger.type.endsWith('.screenAdvertisingTrigger')) {
    await api.run(workflow, trigger.name);
    return;
  }
  const url = webhookUrl(api.url, workflow);
  await api.publish(workflow, url);
  const { events } = trigger.parameters as { events: EventName[] };
  const { id } = sandbox.webhooks.add({ url });
  for (const event of events) await sandbox.fire(event);
  sandbox.webhooks.remove(id);
}
