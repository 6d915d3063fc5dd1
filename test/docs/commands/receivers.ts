import { type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { signWebhook } from '@screen-advertising/core';
import type { Hono } from 'hono';

interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Without a length. */
  readonly isChunked?: boolean;
}

/** Returns the status of the response. */
type Receiver = (delivery: Delivery) => Promise<number>;

const own = 'sandbox-full-signing-secret';
const json = { 'content-type': 'application/json' };

function signed(secret: string, userId = '1', after = ''): Delivery {
  const body = JSON.stringify({ type: 'user.registered', data: { user_id: userId } }) + after;
  return { body, headers: { ...json, 'x-service-signature': signWebhook({ body, secret }) } };
}

/** Prints the status. */
async function print(receive: Receiver, delivery: Delivery): Promise<void> {
  // As a server does with what its handler throws.
  const status = await receive(delivery).catch(() => 500);
  process.stdout.write(`${status}\n`);
}

/** As the service, gateways, and strangers send them: six that are signed, and two empty ones. */
function shapes(): Delivery[] {
  const usual = signed(own);
  const { 'x-service-signature': signature = '' } = usual.headers;
  return [
    usual,
    { ...usual, headers: { 'x-service-signature': signature } },
    { ...usual, isChunked: true },
    { ...usual, headers: { ...json, 'X-SERVICE-Signature': signature } },
    signed(own, '1', '\n'),
    { ...usual, headers: { ...usual.headers, 'content-type': 'text/plain; charset=utf-8' } },
    { body: '', headers: {} },
    { body: '', headers: { ...json, 'x-service-signature': signature } },
  ];
}

/**
 * Sends eight shapes of a delivery, one that another secret signed, one at which the handler fails,
 * and one while the receiver has no secret.
 */
export async function deliver(receive: Receiver, secrets: string[]): Promise<void> {
  for (const shape of shapes()) await print(receive, shape);
  await print(receive, signed('another'));
  await whileHandlersFail(() => print(receive, signed(own)));
  secrets.length = 0;
  await print(receive, signed(own));
  process.exit();
}

/** A delivery, a duplicate of it, and a retry of one at which the handler failed. */
export async function deliverAgain(receive: Receiver, secrets: string[]): Promise<void> {
  await print(receive, signed(own));
  await print(receive, signed(own));
  await print(receive, signed('another'));
  await whileHandlersFail(() => print(receive, signed(own, '2')));
  await print(receive, signed(own, '2'));
  secrets.length = 0;
  await print(receive, signed(own));
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

/** Sends deliveries to a server, as soon as it listens. */
export function overHttp(server: Server): Receiver {
  return async ({ body, headers, isChunked }) => {
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const length = isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { port, path: '/events', method: 'POST', headers: { ...headers, ...length } };
    return new Promise((resolve, reject) => {
      const sent = send({ host: '127.0.0.1', ...options }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      if (isChunked) sent.write(body);
      sent.end(isChunked ? undefined : body);
    });
  };
}

/** Passes deliveries as a server with Fetch's `Request` does. */
export function overFetch(receive: (request: Request) => Response | Promise<Response>): Receiver {
  return async ({ body: text, headers, isChunked }) => {
    const bytes = text === '' ? null : Buffer.from(text);
    const body = isChunked ? new Blob([text]).stream() : bytes;
    const init = { method: 'POST', headers, body, duplex: 'half' } as const;
    return (await receive(new Request('http://127.0.0.1/events', init))).status;
  };
}

/** Sends deliveries to an app of Hono on its server for Node.js. */
export function overHonoServer(app: Hono): Receiver {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  return overHttp(server.listen(0, '127.0.0.1'));
}

type Lambda = (event: never) => Promise<{ statusCode: number }>;

/** Passes deliveries as one of AWS's gateways does. */
export function overLambda(
  handler: Lambda,
  gateway: 'REST API' | 'HTTP API' | 'load balancer',
): Receiver {
  return async ({ body: text, headers }) => {
    const all = Object.entries({ ...headers, Host: 'a.example' });
    const spelled = all.map(([name, value]) => [
      name.replace(/(^|-)([a-z])/g, (part) => part.toUpperCase()),
      value,
    ]);
    const lower = all.map(([name, value]) => [name.toLowerCase(), value]);
    const base64 = Buffer.from(text).toString('base64');
    const events = {
      'REST API': {
        body: text || null,
        isBase64Encoded: false,
        headers: Object.fromEntries(spelled),
      },
      'HTTP API': { body: base64, isBase64Encoded: true, headers: Object.fromEntries(lower) },
      'load balancer': {
        body: text,
        isBase64Encoded: false,
        multiValueHeaders: Object.fromEntries(lower.map(([name, value]) => [name, [value]])),
      },
    };
    return (await handler(events[gateway] as never)).statusCode;
  };
}
