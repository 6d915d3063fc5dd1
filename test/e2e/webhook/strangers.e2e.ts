import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signWebhook } from '@screen-advertising/core';
import { type RawRequest, sendRaw } from '../../support/raw-request.ts';
import { openCollector } from '../support/collector.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { webhookUrl } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { collecting } from '../support/workflows.ts';
import { hostileRequests, refusedByN8n, signedRequests } from './hostile-requests.ts';

/**
 * n8n responds before it has read such a body, and closes the connection. The rest of the body can
 * then fail to be written before the response is read, so it has to be sent again.
 */
const isTooLarge = ({ body = '' }: RawRequest) => Buffer.byteLength(body) > 16 * 1024 * 1024;

describe('the address of a trigger in a real n8n', { timeout: 300_000 }, () => {
  let world: World;
  let url: string;
  let workflowId: string;
  let collector: Awaited<ReturnType<typeof openCollector>>;

  before(async () => {
    world = await openWorld();
    collector = await openCollector();
    const { api, credentials } = world;
    const workflow = await api.createWorkflow(collecting(credentials, collector.url));
    workflowId = workflow.id;
    url = webhookUrl(api.url, workflow);
    await api.publish(workflow, url);
  }, installing);

  after(async () => {
    await collector?.close();
    await world?.close();
  });

  it('responds to strangers with 4xx whatever they send, and starts nothing', async () => {
    assert.ok(hostileRequests.length >= 60, `${hostileRequests.length} requests`);
    const answers = await sendAll(hostileRequests);
    assert.deepEqual(
      answers.filter(({ status }) => status === undefined || status < 400 || status > 499),
      [],
    );
    assert.deepEqual(await executions(), []);
  });

  it('starts nothing when n8n itself cannot read what a stranger sends', async () => {
    const answers = await sendAll(refusedByN8n);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([500]));
    assert.deepEqual(await executions(), []);
  });

  it('starts an execution for each of them that can be read and is signed', async () => {
    const [{ signingSecret: secret }] = world.sandbox.accesses;
    const requests = signedRequests((body) =>
      signWebhook({ body, secret, timestamp: Math.floor(Date.now() / 1000) }),
    );
    const answers = await sendAll(requests);
    assert.deepEqual(
      answers.filter(({ status }) => status !== 200),
      [],
    );
    await waitFor({ what: 'the executions', withinMs: 300_000 }, () => {
      return collector.effects.size === requests.length;
    });
    // n8n lists an execution a moment after its last effect.
    await waitFor({ what: 'the list of executions', withinMs: 300_000 }, async () => {
      return (await executions()).length >= requests.length;
    });
    assert.equal((await executions()).length, requests.length);
  });

  async function executions(): Promise<readonly unknown[]> {
    return await world.api.executions({ workflowId });
  }

  async function sendAll(requests: readonly RawRequest[]) {
    const answers = [];
    for (const request of requests) {
      let status = await sendRaw(url, request);
      for (let again = 0; status === undefined && isTooLarge(request) && again < 4; again += 1) {
        status = await sendRaw(url, request);
      }
      answers.push({ name: request.name, status });
    }
    return answers;
  }
});
