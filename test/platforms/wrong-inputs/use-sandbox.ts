import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import type { Access } from './players.ts';

export interface Bench {
  readonly sandbox: Sandbox;
  readonly access: Access;
}

/** A sandbox for the tests of a file, which is reset before each. */
export function useSandbox(): () => Bench {
  const sandbox = createSandbox();
  let bench: Bench;
  beforeAll(async () => {
    const { baseUrl } = await sandbox.listen();
    bench = { sandbox, access: { baseUrl, apiKey: sandbox.accesses[0].apiKey } };
  });
  beforeEach(() => sandbox.reset());
  afterAll(() => sandbox.close());
  return () => bench;
}
