import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { N8nApi } from '../support/n8n-api.ts';
import { installing } from '../support/open-world.ts';
import { openQueueMode, type QueueMode } from '../support/queue-mode.ts';
import { ended, outputOf } from '../support/run-example.ts';
import { addCredentials } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { inLine, ownNode } from '../support/workflows.ts';

let n8n: QueueMode<'main' | 'worker'>;
let sandbox: Sandbox;

before(async () => {
  n8n = await openQueueMode('main', 'worker');
  sandbox = createSandbox();
  n8n.closes(() => sandbox.close());
  await n8n.start('main', {});
  await n8n.start('worker', {});
}, installing);

after(() => n8n?.close());

it('a worker creates coupons with Retry On Fail, and each of them is new', {
  timeout: 900_000,
}, async () => {
  const { baseUrl } = await sandbox.listen();
  const url = `http://127.0.0.1:${n8n.portOf('main')}`;
  const api = new N8nApi(url);
  await api.signIn();
  const { screenAdvertisingApi: credential } = await addCredentials(api, sandbox, baseUrl);
  assert.ok(credential);
  const workflow = await api.createWorkflow(
    inLine(
      'Coupons',
      {
        name: 'Leads',
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        webhookId: 'leads',
        parameters: { httpMethod: 'POST', path: 'leads', options: {} },
      },
      {
        name: 'Each',
        type: 'n8n-nodes-base.splitOut',
        parameters: { fieldToSplitOut: 'body.leads', options: {} },
      },
      {
        ...ownNode('Coupon', 'screenAdvertising', credential, {
          authentication: 'apiKey',
          resource: 'coupon',
          operation: 'create',
          discount_value: 10,
          lead_email: '={{ $json.email }}',
          additionalFields: { code: '={{ $json.code }}' },
          options: { safeRetries: true },
        }),
        onError: 'continueRegularOutput',
        retryOnFail: true,
        maxTries: 2,
        waitBetweenTries: 1,
      },
    ),
  );
  const webhook = `${url}/webhook/leads`;
  await api.publish(workflow);
  const leads = ['wrong', 'a@example.com', 'b@example.com', 'c@example.com'];
  const body = JSON.stringify({
    leads: leads.map((email, nth) => ({ email, code: `LEAD-${nth}` })),
  });
  const headers = { 'content-type': 'application/json' };
  // n8n registers the webhook a moment after publishing.
  await waitFor({ what: 'the webhook', withinMs: 300_000 }, async () => {
    return (await fetch(webhook, { method: 'POST', headers, body })).ok;
  });
  const execution = await ended(api, workflow);
  assert.deepEqual(
    outputOf(execution, 'Coupon').map(({ code, created }) => [code, created]),
    [
      [undefined, undefined],
      ['LEAD-1', true],
      ['LEAD-2', true],
      ['LEAD-3', true],
    ],
  );
  const posts = sandbox.journal.list().filter(({ method }) => method === 'POST');
  assert.ok(posts.length > 3, 'Retry On Fail runs all items again');
});
