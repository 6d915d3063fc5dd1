import type { Sandbox } from '@screen-advertising/sandbox';
import type { EventRoute } from './event-route.ts';

/** The service delivers events to the recipe itself. */
export const directly = (sandbox: Sandbox): EventRoute => ({
  connect: async (_event, url) => {
    sandbox.webhooks.add({ url });
  },
  deliverAgain: async () => {
    const newest = sandbox.deliveries.list().at(-1);
    if (!newest) throw new Error('Nothing was delivered yet.');
    await sandbox.deliveries.redeliver(newest.id);
  },
  settle: async () => undefined,
});
