import { Engine } from '../../../n8n/engine.ts';
import { respondToParent } from '../../lib/worker.ts';
import { addHttpRequest } from './nodes-base.ts';
import type { ServiceAccess } from './service.ts';
import { emailsOf, lookUps } from './workflows.ts';

export interface RunTask {
  readonly access: ServiceAccess;
  readonly items: number;
}

/** Runs one workflow on n8n's engine in a separate process; its milliseconds. */
const [name = ''] = process.argv.slice(2);
const engine = await Engine.start({});
await addHttpRequest(engine);

respondToParent(async ({ access, items }: RunTask): Promise<number> => {
  engine.credentials.screenAdvertisingApi = { ...access };
  const node = lookUps[name]?.(access.baseUrl);
  if (!node) throw new Error(`There is no workflow ${name}.`);
  const startedAt = performance.now();
  const { error } = await engine.runNode(node, { items: emailsOf(items) });
  if (error) throw error;
  return performance.now() - startedAt;
});
