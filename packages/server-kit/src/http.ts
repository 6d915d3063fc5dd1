import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

export const loopbackAddress = '127.0.0.1';

export interface ListenOptions {
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
}

/** Not Hono's type: its declarations need the DOM, which the project of a server does not have. */
interface Socket {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

type Handle = (request: Request, socket: Socket) => Promise<Response>;

/** A client that trickles its body in would hold a connection forever. */
const requestTimeout = 30_000;
/** How often Node.js looks for requests that take longer. By default only every 30 s. */
const connectionsCheckingInterval = 1_000;
/**
 * A request on a connection that the server closes at that moment is lost, so the proxy in front of
 * it must be the first to close idle ones. Caddy keeps them for two minutes.
 */
const keepAliveTimeout = 130_000;

/**
 * Serves plain HTTP; a proxy adds TLS. Rejects with the system's error when the port is taken or the
 * host is not on this machine.
 */
export async function listen(
  handle: Handle,
  { port = 0, host = loopbackAddress }: ListenOptions = {},
): Promise<{ server: Server; url: string }> {
  const listener = getRequestListener(
    (request, bindings) => handle(request, bindings as Socket),
    // HTTP/1.0 has no Host header; load balancers check whether the server runs with it.
    { overrideGlobalObjects: false, hostname: 'localhost' },
  );
  const server = createServer(
    { requestTimeout, connectionsCheckingInterval, keepAliveTimeout },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { server, url: urlOf(server.address() as AddressInfo) };
}

/** The address on this machine. A server on all addresses also listens on loopback. */
function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0') return `http://${loopbackAddress}:${port}`;
  if (family !== 'IPv6') return `http://${address}:${port}`;
  return `http://[${address === '::' ? '::1' : address}]:${port}`;
}

/** Whether only this machine can reach a server on this host. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

const lookMs = 50;

/**
 * Accepts no new requests and waits up to `drainMs` for those under way. It then cuts off clients
 * that have not sent a whole request; they get no response, so they retry.
 */
export async function stopListening(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A keep-alive connection is idle once its request has a response.
  const looking = setInterval(() => server.closeIdleConnections(), lookMs);
  const cutOff = () => server.closeAllConnections();
  const bound = setTimeout(cutOff, drainMs);
  if (drainMs === 0) cutOff();
  await closed;
  clearInterval(looking);
  clearTimeout(bound);
}

/** The problems of a body that is not read to its end. */
type BodyProblem = 'body-too-large' | 'upload-aborted';

/** The problem responses of a server, which have these two kinds. */
type Problem = new (kind: BodyProblem, detail: string) => Error;

/** Reads the raw body, up to the limit. Throws one of the two problems. */
export async function readBody(
  request: Request,
  limit: number,
  Problem: Problem,
): Promise<Uint8Array> {
  try {
    return await readAll(request, limit, Problem);
  } catch (error) {
    if (error instanceof Problem) throw error;
    // No client reads the response. Its status is for metrics and log.
    throw new Problem('upload-aborted', 'The connection closed before the end of the body.');
  }
}

async function readAll(request: Request, limit: number, Problem: Problem): Promise<Uint8Array> {
  const tooLarge = () => new Problem('body-too-large', `The body is longer than ${limit} bytes.`);
  const announced = request.headers.get('content-length');
  if (announced !== null) {
    if (Number(announced) > limit) throw tooLarge();
    // Node reads no further than the announced length, so no stream is needed.
    return Buffer.from(await request.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Status and short label of each kind of problem; the key is the last part of its `type`. */
export type ProblemKinds<Kind extends string> = Readonly<
  Record<Kind, readonly [status: number, title: string]>
>;

export interface ProblemOptions {
  /** Default: that of the kind. */
  readonly status?: number;
  /** A `retry-after` in seconds is in the problem document, too. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the problem document. */
  readonly members?: Readonly<Record<string, string>>;
}

/** A problem document (RFC 7807). */
interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly retry_after?: number;
}

/** A rejected request. Each server names its own kinds. */
export abstract class ProblemResponse<Kind extends string> extends Error {
  override readonly name = 'ProblemResponseError';
  readonly kind: Kind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: ProblemDocument;

  protected constructor(
    [kinds, typePrefix]: readonly [kinds: ProblemKinds<Kind>, typePrefix: string],
    kind: Kind,
    detail: string,
    options: ProblemOptions = {},
  ) {
    super(detail);
    const [usualStatus, title] = kinds[kind];
    const { status = usualStatus, headers = {}, members } = options;
    const retryAfter = headers['retry-after'] ?? '';
    this.kind = kind;
    this.status = status;
    this.headers = headers;
    this.problem = {
      type: `${typePrefix}${kind}`,
      title,
      status,
      detail,
      ...(/^\d+$/.test(retryAfter) && { retry_after: Number(retryAfter) }),
      ...members,
    };
  }

  toResponse(): Response {
    return new Response(JSON.stringify(this.problem), {
      status: this.status,
      headers: { ...this.headers, 'content-type': 'application/problem+json' },
    });
  }
}
