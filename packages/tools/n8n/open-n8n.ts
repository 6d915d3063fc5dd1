/** `pnpm run n8n`: n8n with the node, a sandbox, credentials and example workflows, until Ctrl-C. */
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { cache, say } from '../../../test/e2e/support/machine.ts';
import { N8nApi, owner } from '../../../test/e2e/support/n8n-api.ts';
import {
  addNodePackage,
  installN8n,
  type N8nProcess,
  startN8n,
} from '../../../test/e2e/support/n8n-server.ts';
import {
  addCredentials,
  addExamples,
  putRelayCredential,
  webhookTrigger,
  webhookUrl,
} from '../../../test/e2e/support/set-up.ts';
import { connectorKey, findRelay, type RunningRelay } from './running-relay.ts';

const n8nPort = Number(process.env.N8N_PORT ?? 5678);
const { SANDBOX_PORT } = process.env;
// Where `run relay --with-sandbox` starts its sandbox with the same setting.
const relay = await findRelay(Number(SANDBOX_PORT ?? 8787));

// pnpm forwards signals that the terminal also sends here, so one may arrive twice.
const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
});
let sandbox: Sandbox | undefined;
let isOpen = false;
let n8n: N8nProcess | undefined;
try {
  await claim(n8nPort);
  await Promise.race([stopped, relay ? openBeside(relay) : openAlone()]);
} catch (error) {
  process.exitCode = 1;
  say(messageOf(error));
}
say('Stopping');
await n8n?.program.stop();
await sandbox?.close();
// Ends what is still being installed or started, too.
process.exit();

/** Throws if the port is in use: another n8n there would be taken for this one, and be changed. */
async function claim(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Starts a sandbox, which delivers its events to the published examples. */
async function openAlone(): Promise<never> {
  const port = Number(SANDBOX_PORT ?? 8780);
  const data = folderOf(port);
  sandbox = createSandbox({
    stateFile: path.join(data, 'sandbox.json'),
    // Not the requests that this program sends before.
    log: (line) => isOpen && process.stdout.write(`${line}\n`),
  });
  const { url, baseUrl } = await sandbox.listen(port);
  const api = await start(data);
  const credentials = await addCredentials(api, sandbox, baseUrl);
  for (const { workflow, isNew } of await addExamples(api, credentials)) {
    if (!webhookTrigger(workflow)) continue;
    const webhook = webhookUrl(api.url, workflow);
    if (isNew) await api.publish(workflow, webhook);
    if (!sandbox.webhooks.list().some(({ url }) => url === webhook)) {
      sandbox.webhooks.add({ url: webhook, name: workflow.name });
    }
  }
  return untilItEnds({ api, sandboxUrl: url, data }, 'with credentials for the sandbox.');
}

/** Beside a relay and its sandbox. The examples are as people import them: publishing subscribes them. */
async function openBeside(running: RunningRelay): Promise<never> {
  const { url, sandboxUrl } = running;
  const data = folderOf(new URL(sandboxUrl).port, new URL(url).port);
  const api = await start(data);
  const key = await connectorKey(running, `n8n-${n8nPort}`);
  await addExamples(api, {
    ...(await addCredentials(api, running, `${sandboxUrl}/api/v1`)),
    ...(await putRelayCredential(api, { baseUrl: url, connectorKey: key })),
  });
  const what = `with credentials for the sandbox and for the relay at ${url}.
  Publish one that an event starts: the relay then delivers to it.`;
  return untilItEnds({ api, sandboxUrl, data }, what);
}

/** Credentials and workflows hold addresses, so n8n keeps separate data per choice of ports. */
function folderOf(...ports: readonly (number | string)[]): string {
  const folder = path.join(cache, ['n8n', n8nPort, ...ports].join('-'));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Says where the workflows of runs with other ports, or with and without a relay, are. */
function otherData(data: string): string {
  const others = readdirSync(cache)
    .filter((name) => /^n8n(-\d+)+$/.test(name) && name !== path.basename(data))
    .map((name) => path.join(cache, name));
  if (others.length === 0) return '';
  return `
  They are in ${data}. With and without a relay, and for other ports,
  n8n has separate ones, here in ${others.join(', ')}.
  Run it as you did then to have those.
`;
}

interface Open {
  readonly api: N8nApi;
  readonly sandboxUrl: string;
  /** Where n8n stores its workflows. */
  readonly data: string;
}

async function start(userFolder: string): Promise<N8nApi> {
  const install = await installN8n();
  await addNodePackage(userFolder);
  say('Starting n8n');
  n8n = await startN8n({ install, userFolder, port: n8nPort });
  const api = new N8nApi(n8n.url);
  await api.signIn();
  return api;
}

async function untilItEnds({ api, sandboxUrl, data }: Open, what: string): Promise<never> {
  say(`n8n is open

  n8n       ${api.url}
  Email     ${owner.email}
  Password  ${owner.password}

  Sandbox   ${sandboxUrl}   fires events and shows every request
  Event     npx -y pnpm@12 run sandbox fire campaign.paid --port ${new URL(sandboxUrl).port}

  The example workflows are there, ${what}
  Stop with Ctrl-C. The next run keeps your workflows and credentials.
${otherData(data)}`);
  isOpen = true;
  await n8n?.program.ended;
  throw new Error('n8n ended on its own.');
}

function messageOf(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  return code === 'EADDRINUSE'
    ? `Port ${port} is in use. End what listens there, or set N8N_PORT and SANDBOX_PORT to others.`
    : message;
}
