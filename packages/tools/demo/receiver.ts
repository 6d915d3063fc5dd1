import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { EventName } from '@screen-advertising/core';
import type { Sandbox } from '@screen-advertising/sandbox';
import { urlOf } from '../../../test/support/server-url.ts';

interface Delivery {
  readonly body: string;
  readonly signature: string;
}

/** Listens on this machine, and responds with 200. While it is down, it breaks every connection. */
export async function openReceiver({ isUp = true } = {}) {
  const { promise: first, resolve } = Promise.withResolvers<Delivery>();
  let isReachable = isUp;
  const server = createServer(async (request, response) => {
    const signature = String(request.headers['x-service-signature']);
    resolve({ body: await text(request), signature });
    response.end();
  });
  server.on('connection', (socket) => isReachable || socket.resetAndDestroy());
  return {
    url: `${await urlOf(server)}/`,
    first,
    comeUp() {
      isReachable = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The delivery of an event, as it arrives. */
export async function delivered(sandbox: Sandbox, name: EventName): Promise<Delivery> {
  const receiver = await openReceiver();
  try {
    await fire(sandbox, receiver.url, name);
    return await receiver.first;
  } finally {
    receiver.close();
  }
}

/** Delivers an event of the service to one address. */
export async function fire(sandbox: Sandbox, url: string, name: EventName): Promise<void> {
  const webhook = sandbox.webhooks.add({ url });
  await sandbox.fire(name);
  sandbox.webhooks.remove(webhook.id);
}
