import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { N8nApi } from '../support/n8n-api.ts';
import { startNginx } from '../support/nginx.ts';
import { root } from '../support/paths.ts';
import { say } from '../support/progress.ts';
import { openQueueMode } from '../support/queue-mode.ts';

const others = ['worker-1', 'worker-2', 'webhook-1', 'webhook-2'] as const;
const parts = ['main', ...others] as const;

export type Part = (typeof parts)[number];
export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** How long a container gets to shut down. */
const graceOfContainersMs = 10_000;

/** n8n as docs/n8n-cluster describes it. */
export async function openCluster() {
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
