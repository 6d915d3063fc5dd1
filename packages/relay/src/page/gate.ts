import { formValues } from '@screen-advertising/server-kit/pages';
import type { HonoRequest } from 'hono';
import { readBytes } from '../base/http.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why a request is not from this relay's own pages; undefined when it is. */
interface GateFault {
  readonly status: 403 | 421;
  readonly detail: string;
}

/**
 * Serves the page only under the host of PUBLIC_URL and this machine's loopback names. An attacker
 * can point a DNS name at this machine (DNS rebinding), and a page under that name would share the
 * origin.
 */
export class Gate {
  readonly #publicUrl: URL | undefined;

  constructor(publicUrl: string | undefined) {
    this.#publicUrl = publicUrl === undefined ? undefined : new URL(publicUrl);
  }

  get isSecure(): boolean {
    return this.#publicUrl?.protocol === 'https:';
  }

  /** The relay's public address, or the address of this request. */
  addressFor(request: HonoRequest): string {
    return this.#publicUrl?.href.replace(/\/+$/, '') ?? `http://${request.header('host')}`;
  }

  hostFault(request: HonoRequest): GateFault | undefined {
    const host = request.header('host') ?? '';
    if (this.#isPublic(host) || isLoopback(host)) return undefined;
    return {
      status: 421,
      detail: `The operator's page does not respond under the name "${host}". If the name is yours, start the relay with PUBLIC_URL set to it, and have your proxy forward the Host header.`,
    };
  }

  /**
   * Pages of other sites can submit forms here. Browsers say where a form comes from; a client that
   * says nothing is not a browser.
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

/** Returns undefined for a header that contains more than a host. */
function readHost(protocol: string, host: string): URL | undefined {
  const url = URL.parse(`${protocol}//${host}`);
  return url?.href === `${url?.origin}/` ? url : undefined;
}

const maxForm = 16 * 1024;

export async function readForm(request: Request): Promise<Readonly<Record<string, string>>> {
  const body = Buffer.from(await readBytes(request, maxForm)).toString();
  return formValues(new URLSearchParams(body));
}
