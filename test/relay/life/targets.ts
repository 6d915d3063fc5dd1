import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../packages/sandbox/src/state/random.ts';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import type { Arrival } from './history.ts';

/** What a target does with its next requests. */
interface Plan {
  failures: number;
  isGone: boolean;
}

/** Programs that get events, at one server. They note each request, and what they respond. */
export class Targets {
  readonly plans: readonly Plan[];
  readonly #listening: Listening;

  private constructor(plans: readonly Plan[], listening: Listening) {
    this.plans = plans;
    this.#listening = listening;
  }

  static async start(count: number, random: Random, arrivals: Arrival[]): Promise<Targets> {
    const plans: Plan[] = Array.from({ length: count }, () => ({ failures: 0, isGone: false }));
    const listening = await listen(
      createServer(async (request, response) => {
        const at = Date.now();
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const target = Number(request.url?.slice(1));
        const plan = plans[target];
        if (!plan || request.method === 'DELETE') return void response.writeHead(204).end();
        const { headers } = request;
        const arrival: Arrival = {
          ...{ target, at, status: 0 },
          signature: String(headers['x-service-signature']),
          webhookId: String(headers['webhook-id']),
          body: Buffer.concat(chunks).toString(),
        };
        arrivals.push(arrival);
        await wait(random.integer(0, 15));
        plan.failures -= 1;
        arrival.status = plan.isGone ? 410 : plan.failures >= 0 ? 500 : 200;
        response.writeHead(arrival.status).end('what the target responds');
      }),
    );
    return new Targets(plans, listening);
  }

  urlOf(target: number): string {
    return `http://127.0.0.1:${this.#listening.port}/${target}`;
  }

  /** The next requests, each once. */
  fail(target: number, failures: number): void {
    Object.assign(this.plans[target] ?? {}, { failures });
  }

  /** Every request is accepted from now on. */
  repair(): void {
    for (const plan of this.plans) Object.assign(plan, { failures: 0, isGone: false });
  }

  close(): Promise<void> {
    return this.#listening.close();
  }
}
