import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import { respondToParent } from '../../lib/worker.ts';

export interface ServiceAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Runs the sandbox in a separate process. A new sandbox replaces the previous one. */
let sandbox: Sandbox | undefined;

respondToParent(async (options: SandboxOptions): Promise<ServiceAccess> => {
  await sandbox?.close();
  sandbox = createSandbox({ ...options, rateLimit: { requests: 1_000_000 } });
  const { baseUrl } = await sandbox.listen();
  return { baseUrl, apiKey: sandbox.accesses[0].apiKey };
});
