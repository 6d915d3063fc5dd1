import { fromDebian } from './machine.ts';
import { installN8n, packNode } from './n8n-server.ts';

const packages = ['chromium', 'nginx-light', 'pgbouncer', 'postgresql', 'redis-server'] as const;

/** What several files need. Node's test runner makes it once, before it starts them. */
export async function globalSetup(): Promise<void> {
  for (const name of packages) await fromDebian(name);
  await installN8n();
  process.env.PACKED_NODE = await packNode();
}
