import type { Server } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type ListenOptions, listen, stopListening } from '@screen-advertising/server-kit';
import type { Hono } from 'hono';
import { toProblem } from '../../base/http.ts';

/** How long requests under way may take when the relay stops. */
const maxDrainMs = 10_000;

/** The servers of one relay. */
export class Servers {
  readonly #servers = new Set<Server>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Returns its URL. */
  async serve(app: Hono, address: ListenOptions): Promise<string> {
    const handle = async (request: Request, bindings: HttpBindings) => app.fetch(request, bindings);
    const { server, url } = await listen(
      // Hono rethrows errors from another realm instead of handling them.
      (request, bindings) =>
        handle(request, bindings).catch((error) => toProblem(error, this.#report)),
      address,
    );
    this.#servers.add(server);
    return url;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => stopListening(server, maxDrainMs)));
  }
}
