import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { respondToParent } from '../../lib/worker.ts';

export interface Request {
  /** Replaces the sandbox with one of this latency, its rate limit unused. */
  readonly latencyMs?: number;
}

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Requests that the previous sandbox received, and how many of them got a 429. */
  readonly answered: number;
  readonly refused: number;
}

let sandbox: Sandbox | undefined;

respondToParent(async ({ latencyMs = 0 }: Request): Promise<Service> => {
  const answered = sandbox?.journal.list() ?? [];
  await sandbox?.close();
  // 200 of them can be booked.
  sandbox = createSandbox({ screens: 220, latencyMs });
  const { baseUrl } = await sandbox.listen();
  return {
    baseUrl,
    apiKey: sandbox.accesses[0].apiKey,
    answered: answered.length,
    refused: answered.filter(({ status }) => status === 429).length,
  };
});
