/** `pnpm run n8n`: n8n with the node, the sandbox, credentials and example workflows, until Ctrl-C. */
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createSandbox } from '@screen-advertising/sandbox';
import { N8nApi, owner } from './support/n8n-api.ts';
import { installN8n } from './support/n8n-install.ts';
import { type N8nProcess, startN8n } from './support/n8n-server.ts';
import { addNodePackage, packNodePackage } from './support/node-package.ts';
import { cache } from './support/paths.ts';
import { say } from './support/progress.ts';
import { addCredentials, readExamples, webhookUrl } from './support/set-up.ts';

const n8nPort = Number(process.env.N8N_PORT ?? 5678);
const sandboxPort = Number(process.env.SANDBOX_PORT ?? 8780);
// Credentials and workflows hold these addresses, so other ports have data of their own.
const data = path.join(cache, `n8n-${n8nPort}-${sandboxPort}`);

// pnpm hands on a signal that the terminal has sent here, too: it may come twice.
const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
});
mkdirSync(data, { recursive: true });
const sandbox = createSandbox({ stateFile: path.join(data, 'sandbox.json') });
let n8n: N8nProcess | undefined;
try {
  await Promise.race([stopped, open()]);
} catch (error) {
  process.exitCode = 1;
  say(messageOf(error));
}
say('Stopping');
await n8n?.program.stop();
await sandbox.close();
// Ends what is still being installed or started, too.
process.exit();

/** Rejects when n8n ends by itself. */
async function open(): Promise<never> {
  const install = await installN8n();
  const tarball = await packNodePackage();
  await addNodePackage(tarball, data);
  await rm(path.dirname(tarball), { recursive: true });
  const { url: sandboxUrl, baseUrl } = await sandbox.listen(sandboxPort);
  say('Starting n8n');
  n8n = await startN8n({ install, userFolder: data, port: n8nPort });
  const api = new N8nApi(n8n.url);
  await api.signIn();
  await wire(api, baseUrl);
  say(`n8n is open

  n8n       ${api.url}
  Email     ${owner.email}
  Password  ${owner.password}

  Sandbox   ${sandboxUrl}   lets events happen and shows what was called

  The example workflows are there, with credentials for the sandbox.
  Stop with Ctrl-C. The next run goes on with what is there.
`);
  await n8n.program.ended();
  throw new Error('n8n ended by itself.');
}

/** Credentials, example workflows, and the addresses that the sandbox delivers events to. */
async function wire(api: N8nApi, baseUrl: string): Promise<void> {
  const credentials = await addCredentials(api, sandbox, baseUrl);
  const known = await api.workflows();
  for (const example of await readExamples(credentials)) {
    const found = known.find(({ name }) => name === example.name);
    const workflow = found ? await api.workflow(found.id) : await api.createWorkflow(example);
    if (!workflow.nodes.some(({ type }) => type.endsWith('.screenAdvertisingTrigger'))) continue;
    const url = webhookUrl(api.url, workflow);
    if (!found) await api.publish(workflow, url);
    if (!sandbox.webhooks.list().some((webhook) => webhook.url === url)) {
      sandbox.webhooks.add({ url });
    }
  }
}

function messageOf(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  return code === 'EADDRINUSE'
    ? `Port ${port} is in use. End what listens there, or set N8N_PORT and SANDBOX_PORT to others.`
    : message;
}
