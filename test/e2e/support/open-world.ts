import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import { type Browser, openChromium } from './chromium.ts';
import { Editor } from './editor.ts';
import { say } from './machine.ts';
import { type Credentials, N8nApi } from './n8n-api.ts';
import { addNodePackage, installN8n, startN8n } from './n8n-server.ts';
import { addCredentials } from './set-up.ts';

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

/** A new n8n for the tests of a `describe`, and its owner signed in to the editor. */
export function useEditor() {
  const opened: { world?: World; browser?: Browser; editor?: Editor } = {};

  before(async () => {
    opened.world = await openWorld();
    opened.browser = await openChromium();
    const page = await opened.browser.context.newPage();
    opened.editor = new Editor(page, opened.world.api.url);
    await opened.editor.signIn();
  }, installing);

  after(async () => {
    await opened.browser?.close();
    await opened.world?.close();
  });

  const get = <Name extends keyof typeof opened>(name: Name) => {
    const found = opened[name];
    if (!found) throw new Error(`The ${name} is there only while the tests run.`);
    return found;
  };
  return {
    get world() {
      return get('world');
    },
    get browser() {
      return get('browser');
    },
    get editor() {
      return get('editor');
    },
  };
}
