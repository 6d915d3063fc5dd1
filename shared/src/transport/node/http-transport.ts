// As a whole: tools for tests and tracing replace `request` in the module.
import http, { type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { ConfigurationError } from '../../errors/error-classes.ts';
import {
  prematureCloseError,
  RequestQueue,
  readBody,
  type SendProgress,
  sendWithinTime,
} from '../exchange.ts';
import { requestFailure } from '../network-failure.ts';
import { systemClock } from '../system-clock.ts';
import type { Transport, TransportRequest } from '../transport.ts';
import { decompressBody, headersAcceptingGzip, proxyEnvironment } from './gzip-and-proxy.ts';

/** The used part of an `Agent` of `node:http` or `node:https`. */
interface NodeAgent {
  /** The most connections to one host. */
  readonly maxSockets: number;
  /** Closes its connections. */
  destroy(): void;
}

/** The options of `nodeTransport`. */
export interface NodeTransportOptions {
  /**
   * For your own proxy or certificate authority; the caller destroys it. It should close idle
   * connections before the service does (`keepAlive: false`, or a `timeout` of some seconds).
   * Default: keeps idle connections for 4 seconds, and uses the proxy of the environment where
   * Node.js does (`NODE_USE_ENV_PROXY`).
   */
  readonly agent?: NodeAgent;
}

/** See `nodeTransport`. */
export function httpTransport({ agent }: NodeTransportOptions = {}): Transport {
  const queue = new RequestQueue();
  let own: Agents | undefined;
  return {
    clock: systemClock,
    runtime: `node ${process.versions.node}; ${process.platform}`,
    send: (request) =>
      queue.run(request, (target) => {
        own ??= agent ? undefined : createAgents();
        const chosen = own?.[protocolOf(target)] ?? (agent as Agent);
        let sent: ClientRequest | undefined;
        return sendWithinTime(
          request,
          failureOf,
          async (progress) => {
            sent = open(chosen, target, request);
            return received(sent, request.url, progress);
          },
          () => isConnecting(sent),
        );
      }),
  };
}

let shared: Transport | undefined;

/** All clients of the process share its connections. */
export function defaultTransport(): Transport {
  shared ??= httpTransport();
  return shared;
}

/**
 * Each address of a name gets two seconds: a handshake may take longer than the 250 ms that Node.js
 * grants to each but the last, and the last may be one that this machine has no route to.
 */
const patient = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2000 };

/** One agent for each protocol. */
interface Agents {
  readonly http: Agent;
  readonly https: Agent;
}

function createAgents(): Agents {
  const proxied = proxyEnvironment();
  const ofProxy = proxied && { proxyEnv: proxied };
  const options = { keepAlive: true, timeout: 4000, ...patient, ...ofProxy };
  return { http: new http.Agent(options), https: new https.Agent(options) };
}

function protocolOf({ protocol }: URL): 'http' | 'https' {
  return protocol === 'https:' ? 'https' : 'http';
}

function open(agent: Agent, target: URL, request: TransportRequest): ClientRequest {
  const { request: send } = protocolOf(target) === 'https' ? https : http;
  const { protocol, hostname, port, pathname, search } = target;
  const { method, body } = request;
  const sent = send({
    protocol,
    // Without the brackets of an IPv6 address.
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port,
    path: pathname + search,
    method,
    headers: headersAcceptingGzip(request),
    agent,
  });
  sent.end(body);
  return sent;
}

/** Node.js keeps the request until the connection is made. */
function isConnecting(sent: ClientRequest | undefined): boolean {
  const { connecting = true, secureConnecting = false } = (sent?.socket ?? {}) as Partial<
    Record<'connecting' | 'secureConnecting', boolean>
  >;
  return connecting || secureConnecting;
}

/** Resolves with the text of the body. */
function received(
  sent: ClientRequest,
  url: string,
  { onStop, onHead }: SendProgress,
): Promise<string> {
  return new Promise((resolve, reject) => {
    onStop(() => sent.destroy());
    let isAnswered = false;
    const giveUp = (): void => {
      if (isAnswered) return;
      sent.destroy();
      reject(prematureCloseError());
    };
    sent.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      if (status === 101) return giveUp();
      isAnswered = true;
      const headers = joined(response);
      onHead({ status, headers });
      const { 'content-encoding': encoding } = headers;
      resolve(readBody(response, url).then((bytes) => decompressBody(bytes, encoding, url)));
    });
    // For a 101 with `connection: upgrade`, Node.js emits this alone.
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      giveUp();
    });
    sent.on('error', reject).on('close', giveUp);
  });
}

/** From the raw headers: `headersDistinct` of Node.js 20 throws when one is named `__proto__`. */
function joined({ rawHeaders }: IncomingMessage): Record<string, string> {
  const all = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = String(rawHeaders[at]).toLowerCase();
    const value = String(rawHeaders[at + 1]);
    const known = all.get(name);
    all.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return Object.fromEntries(all);
}

function failureOf(error: unknown, url: string, wasConnecting: boolean): unknown {
  const { code } = Object(error) as NodeJS.ErrnoException;
  if (code !== 'ERR_INVALID_PROTOCOL') return requestFailure(error, url, wasConnecting);
  const protocol = protocolOf(new URL(url));
  return new ConfigurationError(
    'agent',
    `The agent of nodeTransport cannot open connections over ${protocol}, as the base URL needs. Pass an Agent of node:${protocol}.`,
  );
}
