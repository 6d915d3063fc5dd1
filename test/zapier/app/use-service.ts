import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { SandboxOptions } from '@screen-advertising/sandbox';
import { type Service, startService } from './service.ts';

/** A sandbox for the tests of a file, reset to its seed before each. */
export function useService(options?: SandboxOptions): () => Service {
  let service: Service | undefined;
  const started = (): Service => {
    if (!service) throw new Error('The sandbox is there only while a test runs.');
    return service;
  };
  beforeAll(async () => {
    service = await startService(options);
  });
  beforeEach(() => started().sandbox.reset());
  afterAll(() => started().close());
  return started;
}

/** Runs with a separate sandbox, such as one that responds in another accepted variant. */
export async function withService<Result>(
  options: SandboxOptions,
  run: (service: Service) => Promise<Result>,
): Promise<Result> {
  const service = await startService(options);
  try {
    return await run(service);
  } finally {
    await service.close();
  }
}
