import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { freePort } from '../../support/free-port.ts';
import { type Server, startServer } from '../../support/launch.ts';
import { openCollector } from '../support/collector.ts';
import { fromDebian, root, say } from '../support/machine.ts';
import { type Credentials, N8nApi } from '../support/n8n-api.ts';
import { openQueueMode } from '../support/queue-mode.ts';
import { addCredentials, webhookUrl } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { collecting } from '../support/workflows.ts';
import { deliver } from './load.ts';

const count = Number(process.env.DELIVERIES ?? 10_000);
const perSecond = Number(process.env.DELIVERIES_PER_SECOND ?? 24);
const pauseOfRedisMs = 4_000;
/** 0.1 %, and in a short run what one killed process may have had in hand. */
const maxRepeats = Math.max(count / 1000, 8);

const others = ['worker-1', 'worker-2', 'webhook-1', 'webhook-2'] as const;
const parts = ['main', ...others] as const;

type Part = (typeof parts)[number];
type Cluster = Awaited<ReturnType<typeof openCluster>>;

describe('n8n in queue mode', () => {
  let cluster: Cluster;
  let sandbox: Sandbox;
  let credentials: Credentials;

  before(async () => {
    cluster = await openCluster();
    // Only what fails is sent again here, not what is slow: the machine may be.
    sandbox = createSandbox({ internal: { webhookTimeoutMs: 120_000 } });
    const { baseUrl } = await sandbox.listen();
    credentials = await addCredentials(cluster.api, sandbox, baseUrl);
  });

  after(async () => {
    await cluster?.close();
    await sandbox?.close();
  });

  const crash = (part: Part, after: number, meanwhile = async () => {}) => ({
    after,
    async happen() {
      say(`SIGKILL for ${part}, and a new one in its place`);
      await cluster.kill(part);
      await meanwhile();
      await cluster.restart(part);
      say(`${part} is back`);
    },
  });

  /** What docs/n8n-cluster asks for when a worker was lost: first, since there is only a minute for it. */
  const saveInput = async () => {
    for (const part of ['webhook-1', 'webhook-2'] as const) {
      await cluster.restart(part);
      say(`${part} was restarted, so that it does not overwrite what the dead worker had in hand`);
    }
  };

  it(`executes each of ${count} events while parts of it fail`, async (t) => {
    const collector = await openCollector();
    t.after(() => collector.close());
    const workflow = await cluster.api.createWorkflow(
      collecting(credentials.screenAdvertisingWebhookApi, collector.url),
    );
    const url = webhookUrl(cluster.url, workflow);
    await cluster.api.publish(workflow, url);
    const registration = sandbox.webhooks.add({ url });

    const deliveries = await deliver({
      sandbox,
      count,
      perSecond,
      done: () => collector.effects.size,
      incidents: [
        crash('worker-1', Math.floor(count * 0.15), saveInput),
        crash('webhook-1', Math.floor(count * 0.4)),
        {
          after: Math.floor(count * 0.65),
          async happen() {
            say('Redis stands still');
            cluster.redis.signal('SIGSTOP');
            await sleep(pauseOfRedisMs);
            cluster.redis.signal('SIGCONT');
            say('Redis goes on');
          },
        },
      ],
    });
    sandbox.webhooks.remove(registration.id);

    const missing = () => [...deliveries.keys()].filter((id) => !collector.effects.has(id));
    await settled('the queue to run dry', () => missing().length);
    const died = missing().length;
    const retried = died > 0 ? await retryCrashed(workflow.id, () => missing().length) : [];

    const again = [...deliveries.values()].filter(({ attempts }) => attempts.length > 1);
    const repeats = [...collector.effects].filter(([, executions]) => executions.length > 1);
    say(`${deliveries.size} events delivered, ${again.length} of them after a retry`);
    say(`lost ${missing().length}, ${died} died with their worker, ${repeats.length} repeated`);

    assert.equal(deliveries.size, count);
    assert.ok([...deliveries.values()].every(({ status }) => status === 'delivered'));
    assert.deepEqual(missing(), [], 'events that were never executed');
    assert.ok(repeats.length <= maxRepeats, `${repeats.length} events were executed again`);
    // Only what was delivered again, or died after its effect and was retried.
    const delivered = new Set(again.map(({ eventId }) => eventId));
    const unexplained = repeats.filter(
      ([id, executions]) =>
        !delivered.has(id) && !executions.some((execution) => retried.includes(execution)),
    );
    assert.deepEqual(unexplained, [], 'events that were repeated without a reason');
  });

  /**
   * Follows docs/n8n-cluster after a worker is lost. Redis releases its jobs within a minute and a
   * half. The main process then marks their executions as crashed when it starts, and each can be
   * retried. Returns the IDs of those that were.
   */
  async function retryCrashed(
    workflowId: string,
    missing: () => number,
  ): Promise<readonly string[]> {
    const retried = new Set<string>();
    const waiting = { what: 'the executions that died', withinMs: 600_000, everyMs: 5_000 };
    await waitFor({ ...waiting, progress: () => `${missing()} ${retried.size}` }, async () => {
      await cluster.restart('main');
      for (const { id, mode } of await cluster.api.executions({ workflowId, status: 'crashed' })) {
        // A retry that ends while the main process starts may be marked although it succeeded.
        if (retried.has(id) || mode === 'retry') continue;
        retried.add(id);
        await cluster.api.retry(id);
        say(`Retried the crashed execution ${id}`);
      }
      return missing() === 0;
    });
    return [...retried];
  }
});

/** Looks, five seconds apart, in which nothing happens, until nothing more will. */
const quietLooks = 6;

/** Resolves when nothing is left to happen, or when nothing more happens. */
async function settled(what: string, left: () => number): Promise<void> {
  let before = Number.NaN;
  let quiet = 0;
  await waitFor({ what, withinMs: 300_000, everyMs: 5_000, progress: left }, () => {
    const now = left();
    quiet = now === before ? quiet + 1 : 0;
    before = now;
    return now <= 0 || quiet >= quietLooks;
  });
}

/** How long a container gets to shut down. */
const graceOfContainersMs = 10_000;

/** n8n as docs/n8n-cluster describes it. */
async function openCluster() {
  const n8n = await openQueueMode(...parts);
  const at = (part: Part) => `127.0.0.1:${n8n.portOf(part)}`;
  const nginx = await startNginx(n8n.folder, {
    'main:5678': at('main'),
    'webhook-1:5678': at('webhook-1'),
    'webhook-2:5678': at('webhook-2'),
  });
  n8n.closes(() => nginx.program.stop());
  const guide = parseEnv(readFileSync(path.join(root, 'docs/n8n-cluster/n8n.env'), 'utf8'));
  const start = (part: Part) => n8n.start(part, { ...guide, WEBHOOK_URL: `${nginx.url}/` });
  say('Starting n8n: main, two workers, two webhook processes');
  await start('main');
  const api = new N8nApi(`http://${at('main')}`);
  await api.signIn();
  await Promise.all(others.map(start));
  return {
    ...n8n,
    api,
    /** Where the service delivers to: the proxy before the webhook processes. */
    url: nginx.url,
    /** Stops a part as `docker compose restart` does, and starts it again at its old address. */
    async restart(part: Part) {
      await n8n.stop(part, graceOfContainersMs);
      await start(part);
    },
  };
}

interface Nginx {
  readonly program: Server;
  readonly url: string;
}

/** nginx as the guide configures it, with the hosts of the guide replaced by addresses here. */
async function startNginx(folder: string, hosts: Readonly<Record<string, string>>): Promise<Nginx> {
  const command = await fromDebian('nginx-light');
  const port = await freePort();
  const home = path.join(folder, 'nginx');
  mkdirSync(home);
  let site = readFileSync(path.join(root, 'docs/n8n-cluster/nginx.conf'), 'utf8');
  for (const [host, address] of Object.entries({
    'listen 80': `listen 127.0.0.1:${port}`,
    ...hosts,
  })) {
    if (!site.includes(host)) throw new Error(`docs/n8n-cluster/nginx.conf does not name ${host}.`);
    site = site.replaceAll(host, address);
  }
  writeFileSync(path.join(home, 'site.conf'), site);
  writeFileSync(path.join(home, 'nginx.conf'), nginxConf(home));
  const program = await startServer({
    name: 'nginx',
    command,
    args: ['-e', 'stderr', '-p', home, '-c', path.join(home, 'nginx.conf')],
    log: path.join(folder, 'nginx.log'),
    ready: async () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => true,
        () => false,
      ),
    readyWithinMs: 300_000,
  });
  return { program, url: `http://127.0.0.1:${port}` };
}

function nginxConf(home: string): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${home}/${name};`)
    .join('\n  ');
  // As root, nginx would hand its work to an account that may not read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `daemon off;
${user}
pid ${home}/nginx.pid;
events {}
http {
  access_log off;
  ${folders}
  include ${home}/site.conf;
}
`;
}
