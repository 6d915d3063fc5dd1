/**
 * Runs everything the package can do, right and wrong, with n8n's logging turned all the way up,
 * and prints every output and error whole. Writes the tokens it used to the file named as the
 * argument, so that the caller can look for them in the printed text.
 */
import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import { createPoller } from './engine/poller.ts';
import { serveWebhook } from './engine/webhook-server.ts';
import { operationNames, sampleCall } from './sample-calls.ts';
import { credentialsOf, startWorld, type World } from './world.ts';

const tokens = new Set<string>();

function show(value: unknown): void {
  process.stdout.write(
    `${inspect(value, { depth: 12, showHidden: true, maxStringLength: null })}\n`,
  );
}

async function run(world: World, parameters: INodeParameters): Promise<void> {
  const result = await world.run(parameters).catch((error: unknown) => ({ error, run: undefined }));
  show(result.error);
  show(result.run);
  const token = world.engine.credentials.screenAdvertisingClientCredentialsApi?.accessToken;
  if (typeof token === 'string' && token !== '') tokens.add(token);
}

for (const authentication of ['apiKey', 'clientCredentials']) {
  for (const name of operationNames) {
    for (const fault of [
      undefined,
      { fault: 'status', status: 401 },
      { fault: 'status', status: 500 },
      { fault: 'reset' },
      { fault: 'truncated-body' },
      { fault: 'html-body' },
    ] as const) {
      const world = await startWorld({ clock: 'frozen' });
      const parameters = await sampleCall(world, name);
      if (fault) world.sandbox.faults.add(fault);
      await run(world, { ...parameters, authentication });
      await world.stop();
    }
  }
}

const world = await startWorld({ clock: 'frozen' });
const stored = world.engine.credentials;
const right = credentialsOf(world.sandbox, world.baseUrl);
const lookUp = { resource: 'user', operation: 'lookUp', email: 'lead@example.com' };
for (const [type, changes] of [
  ['screenAdvertisingClientCredentialsApi', { clientId: 'unknown', accessToken: '' }],
  ['screenAdvertisingClientCredentialsApi', { baseUrl: 'http://127.0.0.1:1/api/v1' }],
  ['screenAdvertisingApi', { baseUrl: 'https://127.0.0.1:1' }],
] as const) {
  stored[type] = { ...right[type], ...changes };
  await run(world, {
    ...lookUp,
    authentication: type.endsWith('CredentialsApi') ? 'clientCredentials' : 'apiKey',
  });
  stored[type] = right[type] ?? {};
}

const database = { staticData: '{}' };
const trigger = await serveWebhook(
  world.engine,
  {
    type: 'screenAdvertisingTrigger',
    parameters: {
      delivery: 'direct',
      events: ['coupon.redeemed'],
      options: { includeHeaders: true, includeRawBody: true },
    },
  },
  { database },
);
world.sandbox.webhooks.add({ url: trigger.url });
show(await world.sandbox.fire('coupon.redeemed'));
show(await (await fetch(trigger.url, { method: 'POST', body: 'forged' })).text());
show(trigger.executions);
show(database.staticData);
await trigger.close();

const poller = createPoller(world.engine, {
  type: 'screenAdvertisingPollingTrigger',
  parameters: { authentication: 'apiKey', events: ['campaign_request.rejected'] },
});
show(await poller.poll('manual'));
show(await poller.poll());
world.sandbox.faults.add({ fault: 'status', status: 500 });
show(await poller.poll().catch((error: unknown) => error));
show(poller.staticData());

await world.stop();
writeFileSync(process.argv[2] ?? '', JSON.stringify([...tokens]));
// Earlier engines hold a timer that would keep the process from ending.
process.exit();
