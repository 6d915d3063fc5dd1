import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { urlOf } from '../../../support/server-url.ts';
import { respondToParent } from '../../lib/worker.ts';
import { now } from './load.ts';

/** `hang` never responds. */
export type Kind = 'ok' | 'hang';

export interface Request {
  /** Opens so many receivers. */
  readonly open?: { readonly count: number; readonly kind: Kind; readonly delayMs: number };
  /** Waits until so many deliveries have arrived since the last question. */
  readonly until?: number;
}

export interface Heard {
  /** Of the receivers that were opened. */
  readonly urls: readonly string[];
  /** Milliseconds from the request of the service to each arrival since the last question. */
  readonly latencies: readonly number[];
}

/** Milliseconds from the request of the service to each arrival since they were last taken. */
class Arrivals {
  #latencies: number[] = [];
  #onArrival: () => void = () => undefined;

  add(sentAt: number): void {
    this.#latencies.push(now() - sentAt);
    this.#onArrival();
  }

  /** Waits until there are so many. */
  async take(until: number): Promise<readonly number[]> {
    await new Promise<void>((resolve) => {
      this.#onArrival = () => {
        if (this.#latencies.length >= until) resolve();
      };
      this.#onArrival();
    });
    const taken = this.#latencies;
    this.#latencies = [];
    return taken;
  }
}

const arrivals = new Arrivals();

respondToParent(async ({ open, until = 0 }: Request): Promise<Heard> => {
  const urls: string[] = [];
  for (let nth = 0; nth < (open?.count ?? 0); nth += 1) {
    urls.push(await openOne(open?.kind, open?.delayMs));
  }
  return { urls, latencies: await arrivals.take(until) };
});

async function openOne(kind: Kind = 'ok', delayMs = 0): Promise<string> {
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(await text(request));
    arrivals.add(data.sent_at);
    if (kind !== 'hang') setTimeout(() => response.end(), delayMs);
  });
  return `${await urlOf(server)}/`;
}
