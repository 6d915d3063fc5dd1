import { createSandbox } from '@screen-advertising/sandbox';
import { respondToParent } from '../../lib/worker.ts';

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

respondToParent(async (): Promise<Service> => {
  const sandbox = createSandbox();
  const { baseUrl } = await sandbox.listen();
  return { baseUrl, apiKey: sandbox.accesses[0].apiKey };
});
