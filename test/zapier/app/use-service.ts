import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { SandboxOptions } from '@screen-advertising/sandbox';
import { type Service, startService } from './zapier.ts';

/** What a `beforeAll` starts; it is there only while a test runs. */
export function started<Value>(
  start: () => Promise<Value>,
  stop: (value: Value) => Promise<unknown>,
) {
  const state = {} as { value: Value };
  beforeAll(async () => {
    state.value = await start();
  });
  afterAll(() => stop(state.value));
  return () => state.value;
}

/** A sandbox for the tests of a file, reset to its seed before each. */
export function useService(options?: SandboxOptions): () => Service {
  const service = started(
    () => startService(options),
    (one) => one.close(),
  );
  beforeEach(() => service().sandbox.reset());
  return service;
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

export type Fault = Parameters<Service['sandbox']['faults']['add']>[0];

/** A service that responds with this status to every request; `said` quotes it. */
export const status = (code: number, headers: Record<string, string> = {}) =>
  ({ fault: 'status', status: code, detail: 'A fault.', headers }) satisfies Fault;

export const said = 'The service says: "A fault."';
