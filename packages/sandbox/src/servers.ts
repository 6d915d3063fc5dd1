import type { Server } from 'node:http';
import { type ListenOptions, listen, stopListening } from '@screen-advertising/server-kit';
import { basePath } from './http/exchange.ts';

type Handle = Parameters<typeof listen>[0];

/** The servers of one sandbox, which may listen at several addresses. */
export class Servers {
  readonly #handle: Handle;
  readonly #running = new Set<Server>();

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  async listen(address: number | ListenOptions): Promise<{ url: string; baseUrl: string }> {
    const options = typeof address === 'number' ? { port: address } : address;
    const { server, url } = await listen(this.#handle, options);
    this.#running.add(server);
    return { url, baseUrl: `${url}${basePath}` };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((server) => stopListening(server, 0)));
  }
}
