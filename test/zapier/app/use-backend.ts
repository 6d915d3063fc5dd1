import { afterAll, beforeAll } from '@jest/globals';
import type { SandboxOptions } from '@screen-advertising/sandbox';
import type { ZapierRunner } from './runner.ts';
import { type Service, startService } from './service.ts';
import { startZapierBackend, type ZapierBackend } from './zapier-backend.ts';

interface Backed {
  readonly service: Service;
  readonly backend: ZapierBackend;
  /** A connection of this kind to the sandbox, with Zapier's servers behind it. */
  readonly zapier: ZapierRunner;
}

/** A sandbox and Zapier's own servers for the tests of a file. */
export function useBackend(options?: SandboxOptions): () => Backed {
  let backed: Backed | undefined;
  const started = (): Backed => {
    if (!backed) throw new Error('The sandbox is there only while a test runs.');
    return backed;
  };
  beforeAll(async () => {
    const service = await startService(options);
    const backend = await startZapierBackend();
    const zapier = await service.connect({ event: backend.event, kind: 'client credentials' });
    backed = { service, backend, zapier };
  });
  afterAll(async () => {
    await started().backend.close();
    await started().service.close();
  });
  return started;
}
