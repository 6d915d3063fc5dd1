/** `pnpm run n8n`: n8n with the node, the sandbox, credentials and example workflows, until Ctrl-C. */
import path from 'node:path';
import { createSandbox } from '@screen-advertising/sandbox';
import { N8nApi, owner } from './support/n8n-api.ts';
import { installN8n } from './support/n8n-install.ts';
import { type N8nProcess, startN8n } from './support/n8n-server.ts';
import { addNodePackage, packNodePackage } from './support/node-package.ts';
import { cache } from './support/paths.ts';
import { say } from './support/progress.ts';
import { addCredentials, readExamples, webhookUrl } from './support/set-up.ts';

// Fixed, since the credentials and workflows of an earlier time hold these addresses.
const n8nPort = 5678;
const sandboxPort = 8780;

const userFolder = path.join(cache, 'n8n');
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const sandbox = createSandbox({ stateFile: path.join(cache, 'n8n-sandbox.json') });
let n8n: N8nProcess | undefined;
try {
  const install = await installN8n();
  await addNodePackage(await packNodePackage(), userFolder);
  stop.signal.throwIfAborted();
  const { url: sandboxUrl, baseUrl } = await sandbox.listen(sandboxPort);
  say('Starting n8n');
  n8n = await startN8n({ install, userFolder, port: n8nPort });
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
  await new Promise<void>((resolve, reject) => {
    stop.signal.addEventListener('abort', () => resolve(), { once: true });
    if (stop.signal.aborted) resolve();
    n8n?.program.ended().then(() => {
      if (!stop.signal.aborted) reject(new Error('n8n ended by itself.'));
    });
  });
} catch (error) {
  if (!stop.signal.aborted) {
    process.exitCode = 1;
    say(messageOf(error));
  }
} finally {
  say('Stopping');
  await n8n?.program.stop();
  await sandbox.close();
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
    ? `Port ${port} is in use. End what listens there, which may be an earlier "pnpm run n8n".`
    : message;
}
