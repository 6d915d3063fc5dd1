import path from 'node:path';
import type { Sandbox } from '@screen-advertising/sandbox';
import { root } from '../../../test/e2e/support/machine.ts';
import { run } from '../../../test/support/launch.ts';

/** What `run relay --with-sandbox` has started in another terminal. */
export interface RunningRelay extends Pick<Sandbox, 'accesses'> {
  readonly url: string;
  readonly sandboxUrl: string;
}

/** The source that the sandbox delivers to. */
const source = 'sandbox';

/** The relay that the sandbox at this port delivers to, if both are there. */
export async function findRelay(sandboxPort: number): Promise<RunningRelay | undefined> {
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const webhooks = await dataAt<{ readonly url: string }>(`${sandboxUrl}/_sandbox/webhooks`);
  const ingress = webhooks.find(({ url }) => url.endsWith(`/in/${source}`));
  if (!ingress) return undefined;
  const accesses = await dataAt<Sandbox['accesses'][number]>(`${sandboxUrl}/_sandbox/accesses`);
  const [first, ...others] = accesses;
  return first && { url: new URL(ingress.url).origin, sandboxUrl, accesses: [first, ...others] };
}

/**
 * Creates a connector key with this name, through the relay's own commands and under its settings.
 * The relay shows a key only once, so an existing key is replaced. The old one works for another day.
 */
export async function connectorKey({ url }: RunningRelay, name: string): Promise<string> {
  try {
    const tokens = await command<readonly { name: string; source: string }[]>('tokens', 'list');
    const isThere = tokens.some((token) => token.source === source && token.name === name);
    const verb = isThere ? 'rotate' : 'create';
    const made = await command<{ connector_key: string }>('tokens', verb, source, name);
    return made.connector_key;
  } catch (error) {
    throw new Error(
      `The relay at ${url} gave no connector key. If you started it with RELAY_DATA_DIR or DATABASE_URL, set the same here.\n${(error as Error).message}`,
    );
  }
}

async function command<Result>(...words: readonly string[]): Promise<Result> {
  const program = path.join(root, 'packages/relay/src/run/cli/main.ts');
  const flags = ['--conditions=source', '--no-warnings'];
  return JSON.parse(await run(process.execPath, [...flags, program, ...words, '--json']));
}

/** Nothing where no sandbox listens. */
async function dataAt<Entry>(url: string): Promise<readonly Entry[]> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const { data } = (await response.json()) as { readonly data?: readonly Entry[] };
    return data ?? [];
  } catch {
    return [];
  }
}
