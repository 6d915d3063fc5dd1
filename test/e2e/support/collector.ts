import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { urlOf } from '../../support/server-url.ts';

export interface Collector {
  readonly url: string;
  /** The executions that reached their effect, by the event's id. */
  readonly effects: ReadonlyMap<string, readonly string[]>;
  close(): void;
}

/** What the workflow calls in the end: an effect outside of n8n, which shows what was executed. */
export async function openCollector(): Promise<Collector> {
  const effects = new Map<string, string[]>();
  const server = createServer(async (request, response) => {
    const { id, execution } = JSON.parse(await text(request));
    effects.set(id, [...(effects.get(id) ?? []), execution]);
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
  return {
    url: `${await urlOf(server)}/`,
    effects,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
