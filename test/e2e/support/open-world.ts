import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import { N8nApi } from './n8n-api.ts';
import { installN8n } from './n8n-install.ts';
import { startN8n } from './n8n-server.ts';
import { addNodePackage } from './node-package.ts';
import { say } from './progress.ts';
import { addCredentials, type Credentials } from './set-up.ts';

export interface World {
  readonly api: N8nApi;
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  readonly credentials: Credentials;
  close(): Promise<void>;
}

/** For the hook that opens a world: n8n may have to be installed first. */
export const installing = { timeout: 1_200_000 };

/** A new n8n with the packed node and the three credentials, and the sandbox that they are for. */
export async function openWorld(options?: SandboxOptions): Promise<World> {
  const install = await installN8n();
  const userFolder = await mkdtemp(path.join(tmpdir(), 'n8n-'));
  const sandbox = createSandbox(options);
  const { baseUrl } = await sandbox.listen();
  await addNodePackage(userFolder);
  say('Starting n8n');
  const n8n = await startN8n({ install, userFolder });
  const api = new N8nApi(n8n.url);
  await api.signIn();
  return {
    api,
    sandbox,
    baseUrl,
    credentials: await addCredentials(api, sandbox, baseUrl),
    async close() {
      await n8n.program.stop();
      await sandbox.close();
      await rm(userFolder, { recursive: true, force: true });
    },
  };
}
