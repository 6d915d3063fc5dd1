import { type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signWebhook } from '@screen-advertising/core';

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
  return async ({ body, headers }) => {
    const init = { method: 'POST', headers, body: body === '' ? null : Buffer.from(body) };
    return (await receive(new Request('http://127.0.0.1/events', init))).status;
  };
}

type Lambda = (event: never) => Promise<{ statusCode: number }>;

/** Passes deliveries as REST APIs, HTTP APIs, and load balancers do, in turn. */
export function overLambda(handler: Lambda): Receiver {
  let nth = 0;
  return async ({ body: text, headers }) => {
    const all = Object.entries({ ...headers, Host: 'a.example' });
    const spelled = all.map(([name, value]) => [
      name.replace(/(^|-)([a-z])/g, (part) => part.toUpperCase()),
      value,
    ]);
    const lower = all.map(([name, value]) => [name.toLowerCase(), value]);
    const base64 = Buffer.from(text).toString('base64');
    const events = [
      { body: text || null, isBase64Encoded: false, headers: Object.fromEntries(spelled) },
      { body: base64, isBase64Encoded: true, headers: Object.fromEntries(lower) },
      {
        body: text,
        isBase64Encoded: false,
        multiValueHeaders: Object.fromEntries(lower.map(([name, value]) => [name, [value]])),
      },
    ];
    const { statusCode } = await handler(events[nth % 3] as never);
    nth += 1;
    return statusCode;
  };
}
