import { beforeEach, expect, it } from '@jest/globals';
import { type Running, start } from '../relay/support/running-relay.ts';
import { fire, openWorkflow, type RelayWorkflow, started } from './relay-bench.ts';

let running: Running;
let workflow: RelayWorkflow;

beforeEach(async () => {
  running = await start();
  workflow = await openWorkflow(running);
});

function setCatchUp(catchUp: boolean): void {
  workflow.parameters = { ...workflow.parameters, options: { catchUp } };
}

async function publish(): Promise<void> {
  await workflow.n8n.publish();
  await running.relay.clock.advance(1_000);
}

/** An event before the first publishing, one while it is unpublished, and one after. */
async function missOne(): Promise<string> {
  await fire(running);
  await publish();
  await workflow.n8n.unpublish();
  const { id } = await fire(running);
  await running.relay.clock.advance(24 * 3_600_000);
  return String(id);
}

it('by default, publishing starts nothing for events since it was unpublished', async () => {
  await missOne();
  await publish();
  expect(started(workflow.server)).toEqual([]);
});

it('with Include Missed Events, publishing starts the workflow once for each', async () => {
  setCatchUp(true);
  const missed = await missOne();
  await publish();
  expect(started(workflow.server)).toEqual([missed]);
  await publish();
  await workflow.n8n.unpublish();
  await publish();
  expect(started(workflow.server)).toEqual([missed]);
});

it('also when n8n was killed after it subscribed', async () => {
  setCatchUp(true);
  const missed = await missOne();
  await workflow.n8n.killedWhilePublishing();
  await running.relay.clock.advance(1_000);
  await publish();
  expect(started(workflow.server)).toEqual([missed]);
});

it('a test in the editor includes none', async () => {
  setCatchUp(true);
  await missOne();
  await workflow.n8n.listen();
  await running.relay.clock.advance(1_000);
  const { body } = await running.call('GET', '/deliveries');
  expect(body.data).toEqual([]);
});
