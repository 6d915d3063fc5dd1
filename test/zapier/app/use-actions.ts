import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import { type Action, prepareRecords } from './actions.ts';
import type { Fault } from './fault.ts';
import type { ZapierRunner } from './runner.ts';
import { type Service, startService } from './service.ts';
import { readZapierError } from './zapier-error.ts';

interface Started {
  readonly service: Service;
  readonly zapier: ZapierRunner;
}

/** A sandbox with the records that all actions look for, and a connection to it. */
export function useActions() {
  let started: Started | undefined;
  const get = (): Started => {
    if (!started) throw new Error('The sandbox is there only while a test runs.');
    return started;
  };
  beforeAll(async () => {
    const service = await startService();
    const zapier = await service.connect();
    await prepareRecords(zapier);
    started = { service, zapier };
  });
  // Retries of reads wait for a random time; here they do not wait.
  beforeEach(() => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await get().service.close();
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
