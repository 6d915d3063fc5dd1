import { percentile } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import type { Order } from './service.ts';
import { type Platform, type Reply, type Request, type Setup, subscribers } from './subscriber.ts';

export const perSecond = 20;

/** Milliseconds from fired to started. */
export type Turn = Readonly<Record<Platform, { readonly p50: number; readonly p99: number }>>;

/** A service, a workflow and a Zap, each in a separate process. */
export class DeliveryPath {
  readonly #service = startWorker<Order, void>(siblingPath(import.meta.url, 'service.ts'));
  readonly #subscribers = Object.entries(subscribers).map(([platform, file]) => ({
    platform,
    worker: startWorker<Request, Reply>(siblingPath(import.meta.url, file)),
  }));

  /** Gives the addresses that deliveries for the workflow and the Zap go to. */
  async open(setup: Setup): Promise<string[]> {
    const replies = this.#subscribers.map(({ worker }) => worker.ask({ open: setup }));
    return (await Promise.all(replies)) as string[];
  }

  /** Has the service deliver to these addresses. */
  async register(urls: readonly string[], signingSecret: string): Promise<void> {
    await this.#service.ask({ urls, signingSecret });
  }

  /** Fires so many events; resolves once each has started the workflow and the Zap. */
  async fire(count: number): Promise<Turn> {
    const started = this.#subscribers.map(async ({ platform, worker }) => {
      const times = (await worker.ask({ until: count })) as readonly number[];
      return [platform, { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }];
    });
    await this.#service.ask({ fire: count, perSecond });
    return Object.fromEntries(await Promise.all(started));
  }

  kill(): void {
    for (const worker of [this.#service, ...this.#subscribers.map(({ worker }) => worker)]) {
      worker.stop();
    }
  }
}
