import type { HonoRequest } from 'hono';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why a request does not come from this relay's own pages; undefined when it does. */
export interface GateFault {
  readonly status: 403 | 421;
  readonly detail: string;
}

/**
 * Which names the page answers to: that of PUBLIC_URL, and those of this machine. Anybody can make a
 * name of theirs lead here (DNS rebinding), and a page under it would be of the same origin.
 */
export class Gate {
  readonly #publicUrl: URL | undefined;

  constructor(publicUrl: string | undefined) {
    this.#publicUrl = publicUrl === undefined ? undefined : new URL(publicUrl);
  }

  /** Whether cookies must never go over http. */
  get isSecure(): boolean {
    return this.#publicUrl?.protocol === 'https:';
  }

  /** Where the service reaches the relay, as far as it is known. */
  addressFor(request: HonoRequest): string {
    return this.#publicUrl?.href.replace(/\/+$/, '') ?? `http://${request.header('host')}`;
  }

  /** The name it was asked under. */
  hostFault(request: HonoRequest): GateFault | undefined {
    const host = request.header('host') ?? '';
    if (this.#isPublic(host) || isLoopback(host)) return undefined;
    return {
      status: 421,
      detail: `The operator's page does not respond under the name "${host}". If the name is yours, start the relay with PUBLIC_URL set to it, and have your proxy forward the Host header.`,
    };
  }

  /**
   * Pages of other sites can send forms here. Browsers say where a form comes from; what says nothing
   * is no browser.
   */
  originFault(request: HonoRequest): GateFault | undefined {
    const origin = request.header('origin');
    const site = request.header('sec-fetch-site');
    const isOwn = origin === undefined ? site === 'same-origin' : this.#isOwn(origin, request);
    if (isOwn && (site === undefined || site === 'same-origin')) return undefined;
    return {
      status: 403,
      detail: `The relay accepts forms only from its own pages; this one came from ${origin ?? 'an unknown origin'}. Open the operator's page at its own address, and submit the form again.`,
    };
  }

  #isOwn(origin: string, request: HonoRequest): boolean {
    const host = request.header('host') ?? '';
    return origin === this.#publicUrl?.origin || (isLoopback(host) && origin === `http://${host}`);
  }

  #isPublic(host: string): boolean {
    const url = this.#publicUrl;
    return url !== undefined && readHost(url.protocol, host)?.host === url.host;
  }
}

function isLoopback(host: string): boolean {
  return loopbackNames.has(readHost('http:', host)?.hostname ?? '');
}

/** Undefined for a header that holds more than a host. */
function readHost(protocol: string, host: string): URL | undefined {
  const url = URL.parse(`${protocol}//${host}`);
  return url?.href === `${url?.origin}/` ? url : undefined;
}
