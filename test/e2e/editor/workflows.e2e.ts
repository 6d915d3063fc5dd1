import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openCollector } from '../support/collector.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { runExample, webhookTrigger } from '../support/run-example.ts';
import { readExamples, webhookUrl } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { collecting } from '../support/workflows.ts';

describe('workflows on a real n8n', () => {
  let world: World;

  before(async () => {
    world = await openWorld();
  }, installing);

  after(async () => {
    await world?.close();
  });

  it('the examples of the package succeed when they are imported and started', async () => {
    const examples = await readExamples(world.credentials);
    assert.ok(examples.length >= 5, `${examples.length} examples`);
    for (const example of examples) {
      const workflow = await world.api.createWorkflow(example);
      const url = webhookTrigger(workflow) && webhookUrl(world.api.url, workflow);
      if (url !== undefined) await world.api.publish(workflow, url);
      const registration = url === undefined ? undefined : world.sandbox.webhooks.add({ url });
      await runExample(world.api, workflow, (event) => world.sandbox.fire(event));
      if (registration) world.sandbox.webhooks.remove(registration.id);
    }
  });

  it('remembers every event: one that is delivered again is acknowledged and starts nothing', async (t) => {
    const { api, sandbox, credentials } = world;
    const collector = await openCollector();
    t.after(() => collector.close());
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

    // A process that received them only moments ago would respond with 503.
    assert.deepEqual(
      again.map(({ attempts }) => attempts.at(-1)?.status),
      [200, 200, 200],
    );
    await waitFor(
      { what: 'the executions', withinMs: 300_000 },
      () => collector.effects.size === 3,
    );
    const executions = await api.executions({ workflowId: workflow.id });
    assert.equal(executions.length, 3);
  });
});
