import { actionNode } from '../../../n8n/engine.ts';
import { startWorld } from '../../../n8n/world.ts';
import { respondToParent } from '../../lib/worker.ts';
import { addHttpRequest } from './nodes-base.ts';
import { emailsOf, lookUps } from './workflows.ts';

/** How many of so many items each workflow finds, although the service allows 600 requests a minute. */
respondToParent(async (items: number): Promise<Readonly<Record<string, number>>> => {
  const found: Record<string, number> = {};
  for (const [name, nodeAt] of Object.entries(lookUps)) {
    // Its clock stands still but for those who wait for it.
    const { baseUrl, engine, stop } = await startWorld({ clock: 'frozen' });
    await addHttpRequest(engine);
    const node = nodeAt(baseUrl);
    const result = await engine.runNode(node, { items: emailsOf(items) });
    const outputs = result.error ? [] : result.output(node.name ?? actionNode);
    found[name] = outputs.filter(({ json }) => json.error === undefined).length;
    await stop();
  }
  return found;
});
