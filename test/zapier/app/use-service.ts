import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import type { SandboxOptions } from '@screen-advertising/sandbox';
import { type Action, prepareRecords } from './actions.ts';
import { readZapierError, type Service, startService, type ZapierRunner } from './zapier.ts';
import { startZapierBackend, type ZapierBackend } from './zapier-backend.ts';

/** What a `beforeAll` starts; it is there only while a test runs. */
function started<Value>(start: () => Promise<Value>, stop: (value: Value) => Promise<unknown>) {
  let value: Value | undefined;
  const get = (): Value => {
    if (!value) throw new Error('The sandbox is there only while a test runs.');
    return value;
  };
  beforeAll(async () => {
    value = await start();
  });
  afterAll(() => stop(get()));
  return get;
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

interface Backed {
  readonly service: Service;
  readonly backend: ZapierBackend;
  /** A connection of this kind to the sandbox, with Zapier's servers behind it. */
  readonly zapier: ZapierRunner;
}

/** A sandbox and Zapier's own servers for the tests of a file. */
export function useBackend(options?: SandboxOptions): () => Backed {
  return started(
    async () => {
      const service = await startService(options);
      const backend = await startZapierBackend();
      const zapier = await service.connect({ event: backend.event, kind: 'client credentials' });
      return { service, backend, zapier };
    },
    async ({ service, backend }) => {
      await backend.close();
      await service.close();
    },
  );
}

/** A sandbox with the records that all actions look for, new before each test, and a connection. */
export function useActions() {
  const get = started(
    async () => {
      const service = await startService();
      return { service, zapier: await service.connect() };
    },
    async ({ service }) => {
      jest.restoreAllMocks();
      await service.close();
    },
  );
  beforeEach(async () => {
    get().service.sandbox.reset();
    await prepareRecords(get().zapier);
    // Retries of reads wait for a random time; here they do not wait.
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  return {
    service: () => get().service,
    zapier: () => get().zapier,
    /** The result of an action during the fault, or the error as Zapier reads it. */
    async struck(fault: Fault, { run }: Action): Promise<unknown> {
      const { service, zapier } = get();
      service.sandbox.faults.add(fault);
      try {
        return await run(zapier).catch(readZapierError);
      } finally {
        service.sandbox.faults.clear();
      }
    },
  };
}

export type Fault = Parameters<Service['sandbox']['faults']['add']>[0];

/** A service that responds with this status to every request; `said` quotes it. */
export const status = (code: number, headers: Record<string, string> = {}) =>
  ({ fault: 'status', status: code, detail: 'A fault.', headers }) satisfies Fault;

export const said = 'The service says: "A fault."';
