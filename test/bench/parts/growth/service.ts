import { createSandbox } from '@screen-advertising/sandbox';
import { respondToParent } from '../../lib/worker.ts';
import type { Known } from './subject.ts';

/** Runs the sandbox in a separate process, so its cost is not counted as a platform's. */
const sandbox = createSandbox({ rateLimit: { requests: 1_000_000 } });
const { baseUrl } = await sandbox.listen();

respondToParent(async (question: 'known' | 'requests'): Promise<Known | number> => {
  if (question === 'requests') return sandbox.journal.list().at(-1)?.id ?? 0;
  const [access] = sandbox.accesses;
  const requests = sandbox.campaignRequests.list();
  return {
    baseUrl,
    apiKey: access.apiKey,
    screenId: sandbox.screens.list().find(({ bookable }) => bookable)?.id ?? '',
    campaignRequestId: requests.find(({ accessId }) => accessId === access.id)?.id ?? '',
  };
});
