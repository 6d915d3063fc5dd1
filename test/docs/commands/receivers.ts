import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signWebhook } from '@screen-advertising/core';

type Receiver = (request: Request) => Response | Promise<Response>;

const own = 'sandbox-full-signing-secret';

/** Sends a signed delivery, and prints its status. */
async function send(receive: Receiver, secret: string, userId = '1'): Promise<void> {
  const body = JSON.stringify({ type: 'user.registered', data: { user_id: userId } });
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': signWebhook({ body, secret }),
  };
  const request = new Request('http://127.0.0.1/events', { method: 'POST', headers, body });
  // As a server does with what its handler throws.
  const response = await Promise.resolve(receive(request)).catch(
    () => new Response(null, { status: 500 }),
  );
  process.stdout.write(`${response.status}\n`);
}

/**
 * Sends a delivery, one that another secret signed, one at which the handler fails, and one while
 * the receiver has no secret.
 */
export async function deliver(receive: Receiver, secrets: string[]): Promise<void> {
  await send(receive, own);
  await send(receive, 'another');
  await whileHandlersFail(() => send(receive, own));
  secrets.length = 0;
  await send(receive, own);
  process.exit();
}

/** The same, with a duplicate of the first, and a retry of the one at which the handler failed. */
export async function deliverAgain(receive: Receiver, secrets: string[]): Promise<void> {
  await send(receive, own);
  await send(receive, own);
  await send(receive, 'another');
  await whileHandlersFail(() => send(receive, own, '2'));
  await send(receive, own, '2');
  secrets.length = 0;
  await send(receive, own);
  process.exit();
}

async function whileHandlersFail(work: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = () => {
    throw new Error('a bug of the handler');
  };
  await work();
  console.log = log;
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
