import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Collector {
  readonly url: string;
  /** The executions that reached their effect, by the event's id. */
  readonly effects: ReadonlyMap<string, readonly string[]>;
  /** Leaves the next request without response or effect. Resolves when it arrives. */
  hangNext(): Promise<void>;
  close(): void;
}

/** What the workflow calls in the end: an effect outside of n8n, which shows what was executed. */
export async function openCollector(): Promise<Collector> {
  const effects = new Map<string, string[]>();
  let hang: (() => void) | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (hang) {
      hang();
      hang = undefined;
      return;
    }
    const { id, execution } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    effects.set(id, [...(effects.get(id) ?? []), execution]);
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    effects,
    hangNext: () =>
      new Promise((resolve) => {
        hang = resolve;
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
