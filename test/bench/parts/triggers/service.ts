import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { respondToParent } from '../../lib/worker.ts';
import { paced } from '../relay/load.ts';
import { now } from '../relay/now.ts';
import { type } from './subscriber.ts';

/** Opens a sandbox that delivers to these addresses, or fires so many events in the open one. */
export type Order =
  | { readonly signingSecret: string; readonly urls: readonly string[] }
  | { readonly fire: number; readonly perSecond: number };

let sandbox: Sandbox | undefined;

respondToParent(async (order: Order): Promise<void> => {
  if ('urls' in order) {
    const [access] = createSandbox().accesses;
    sandbox = createSandbox({ accesses: [{ ...access, signingSecret: order.signingSecret }] });
    for (const url of order.urls) sandbox.webhooks.add({ url });
    return;
  }
  await paced(
    order.perSecond,
    (begun) => begun >= order.fire,
    async () => sandbox?.fire(type, { sent_at: now() }),
  );
});
