import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signWebhook } from '@screen-advertising/core';

type Receiver = (request: Request) => Response | Promise<Response>;

/** Sends a delivery, then one that another secret signed, and prints both statuses. */
export async function deliver(receive: Receiver): Promise<void> {
  const body = '{"type":"user.registered","data":{"user_id":"1"}}';
  const timestamp = Math.floor(Date.now() / 1000);
  for (const secret of ['sandbox-full-signing-secret', 'another']) {
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': signWebhook({ body, secret, timestamp }),
    };
    const request = new Request('http://127.0.0.1/events', { method: 'POST', headers, body });
    process.stdout.write(`${(await receive(request)).status}\n`);
  }
  process.exit();
}

/** Sends requests to a server, as soon as it listens. */
export function overHttp(server: Server): Receiver {
  return async ({ headers, body }) => {
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/events`;
    return fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  };
}

interface LambdaEvent {
  body: string;
  isBase64Encoded: boolean;
  headers: Record<string, string>;
}

/** Passes bodies as API Gateway does. */
export function overLambda(
  handler: (event: LambdaEvent) => Promise<{ statusCode: number }>,
): Receiver {
  return async (request) => {
    const body = Buffer.from(await request.arrayBuffer()).toString('base64');
    const headers = Object.fromEntries(request.headers);
    const { statusCode } = await handler({ body, isBase64Encoded: true, headers });
    return new Response(null, { status: statusCode });
  };
}
