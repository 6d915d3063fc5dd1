import dns from 'node:dns';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createMixedServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { generate } from 'selfsigned';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import { tier } from '../../support/tier.ts';

/** How one redirect leads away from the base URL. */
export interface Shape {
  readonly status: number;
  /** How the address is written, or the way to it. */
  readonly form: Form;
  readonly target: Target;
}

type Form = (typeof forms)[number];
type Target = keyof typeof targets;

const statuses = [301, 302, 303, 307, 308];

const forms = [
  'plain',
  'in upper case',
  'without its scheme',
  'with a name and a password',
  'with a query and a fragment',
  'with backslashes',
  'by another path of the base URL',
  'there and back again',
] as const;

const host = 'localhost';

/** Where a redirect leads, seen from `http://localhost` with the first port. */
const targets = {
  'another port': ([, port]: Ports) => `http://${host}:${port}`,
  'another name of the host': ([port]: Ports) => `http://127.0.0.1:${port}`,
  'a subdomain': ([port]: Ports) => `http://sub.${host}:${port}`,
  'another scheme': ([port]: Ports) => `https://${host}:${port}`,
  'another scheme and port': ([, port]: Ports) => `https://${host}:${port}`,
  'a subdomain with another scheme': ([port]: Ports) => `https://sub.${host}:${port}`,
} as const;

/** Both speak http and https, whatever the name of the host. */
type Ports = readonly [own: number, other: number];

/** All shapes nightly; for every change each form to each target. */
export function shapes(): Shape[] {
  const all = statuses.flatMap((status) =>
    forms.flatMap((form) => targetNames.map((target) => ({ status, form, target }))),
  );
  return tier === 'nightly' ? all : all.filter(isInSample);
}

/** With each form and target, the statuses take turns. */
function isInSample({ status, form, target }: Shape): boolean {
  const turn = forms.indexOf(form) + targetNames.indexOf(target);
  return status === statuses[turn % statuses.length];
}

const targetNames = Object.keys(targets) as Target[];

/** What the header Location says. */
function locationOf({ form, target }: Shape, ports: Ports): string {
  const origin = targets[target](ports);
  switch (form) {
    case 'in upper case':
      return `${origin.toUpperCase()}/file`;
    case 'without its scheme':
      return `${origin.replace(/^\w+:/, '')}/file`;
    case 'with a name and a password':
      return `${origin.replace('//', '//name:password@')}/file`;
    case 'with a query and a fragment':
      return `${origin}/file?from=http://${host}:${ports[0]}/api/v1/#/api/v1/`;
    case 'with backslashes':
      return `${origin.replace('//', '\\\\')}\\file`;
    case 'by another path of the base URL':
      return '/api/v1/hop';
    case 'there and back again':
      return `${origin}/back`;
    default:
      return `${origin}/file`;
  }
}

/** A request, and whether a redirect led to it. */
interface Arrived {
  readonly origin: string;
  readonly isRedirected: boolean;
  readonly text: string;
}

/**
 * A service that redirects every request below its base URL, and the targets of these redirects:
 * two ports, which speak http and https under every name that ends in `localhost`.
 */
export class RedirectingService {
  shape: Shape | undefined;
  arrived: Arrived[] = [];
  #listening: Listening[] = [];
  #restore: () => void = () => undefined;

  async start(): Promise<void> {
    const altNames = ['localhost', 'sub.localhost'].map((value) => ({ type: 2 as const, value }));
    const extensions = [{ name: 'subjectAltName' as const, altNames }];
    const name = [{ name: 'commonName', value: 'localhost' }];
    const { private: key, cert } = await generate(name, { extensions });
    const plain = createServer((request, response) => this.#answer('http', request, response));
    const secure = createSecureServer({ key, cert }, (request, response) =>
      this.#answer('https', request, response),
    );
    const mixed = () =>
      createMixedServer((socket: Socket) => {
        socket.once('data', (first: Buffer) => {
          socket.pause();
          socket.unshift(first);
          (first[0] === 0x16 ? secure : plain).emit('connection', socket);
          process.nextTick(() => socket.resume());
        });
      });
    this.#listening = [await listen(mixed()), await listen(mixed())];
    this.#restore = leadHere(cert);
  }

  async stop(): Promise<void> {
    this.#restore();
    for (const server of this.#listening) await server.close();
  }

  get ports(): Ports {
    const [own, other] = this.#listening.map(({ port }) => port);
    return [own ?? 0, other ?? 0];
  }

  get origin(): string {
    return `http://localhost:${this.ports[0]}`;
  }

  get baseUrl(): string {
    return `${this.origin}/api/v1`;
  }

  #answer(scheme: string, request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url = '' } = request;
      const text = [url, JSON.stringify(headers), Buffer.concat(chunks).toString()].join('\n');
      const origin = `${scheme}://${headers.host}`;
      const isRedirected = /^\/(api\/v1\/(hop|end)|file|back)/.test(url);
      this.arrived.push({ origin, isRedirected, text });
      const location = this.#next(url, isRedirected);
      if (location) response.writeHead(this.shape?.status ?? 302, { location }).end();
      else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>');
    });
  }

  #next(url: string, isRedirected: boolean): string | undefined {
    if (!this.shape) return undefined;
    if (!isRedirected) return locationOf(this.shape, this.ports);
    if (url === '/api/v1/hop') return `${targets[this.shape.target](this.ports)}/file`;
    return url === '/back' ? `${this.baseUrl}/end` : undefined;
  }
}

/** Until the returned function is called, names that end in `localhost` and this certificate are good. */
function leadHere(cert: string): () => void {
  const { lookup } = dns;
  const trusted = tls.getCACertificates('default');
  const here = (name: string, ...others: unknown[]): void =>
    Reflect.apply(lookup, dns, [name.endsWith('localhost') ? '127.0.0.1' : name, ...others]);
  Object.assign(dns, { lookup: here });
  tls.setDefaultCACertificates([...trusted, cert]);
  return () => {
    Object.assign(dns, { lookup });
    tls.setDefaultCACertificates(trusted);
  };
}
