import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestsInFlight, settled } from '../support/requests-in-flight.ts';
import type { Time } from './engine/load-package.ts';
import type { World } from './world.ts';

/** A door in front of the service, which shows how many requests arrive at once. */
export interface Door {
  /** How many requests waited at the door each time it opened. */
  readonly crowds: readonly number[];
  close(): Promise<void>;
}

interface Caller {
  readonly request: Request;
  readonly response: ServerResponse;
}

/**
 * A clock on which waits take no time: the limiter spreads nothing, so all requests go out at once.
 */
export function hurriedTime(): Time {
  let now = Date.now();
  return {
    now: () => now,
    date: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      now += Math.max(0, ms);
    },
  };
}

/** Puts a door in front of the world's service; it opens once no further request arrives. */
export async function openDoor({ sandbox, baseUrl, engine }: World): Promise<Door> {
  const crowds: number[] = [];
  let waiting: Caller[] = [];
  let isWatched = false;

  async function watch(): Promise<void> {
    isWatched = true;
    while (waiting.length > 0) {
      do await settled(() => `${waiting.length} ${requestsInFlight()}`);
      while (requestsInFlight() > waiting.length);
      const crowd = waiting;
      waiting = [];
      crowds.push(crowd.length);
      await Promise.all(crowd.map(letIn));
      await settled(() => waiting.length);
    }
    isWatched = false;
  }

  async function letIn({ request, response }: Caller): Promise<void> {
    const answer = await sandbox.fetch(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  }

  const server = createServer(async (incoming, response) => {
    const { url = '', method = '', headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request = new Request(new URL(url, baseUrl), {
      method,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    waiting.push({ request, response });
    if (!isWatched) void watch();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const stored of Object.values(engine.credentials)) {
    if ('baseUrl' in stored) stored.baseUrl = `http://127.0.0.1:${port}/api/v1`;
  }
  return {
    crowds,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
