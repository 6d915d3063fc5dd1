import type { ServerResponse } from 'node:http';
import type { Clock } from '@screen-advertising/core';
import {
  createSandbox,
  type PartnerAccess,
  type Sandbox,
  type Snapshot,
} from '@screen-advertising/sandbox';
import type { HostileService, Received } from '../support/hostile-service.ts';
import type { TimeLimits } from '../support/time-limits.ts';
import type { Cell } from './cell.ts';
import { effectOf } from './rules.ts';
import { known } from './tasks.ts';

export interface Request {
  readonly kind: 'task' | 'token' | 'other';
  readonly isStruck: boolean;
  /** On the world's clock. */
  readonly at: number;
}

const startsAt = Date.UTC(2027, 2, 1, 9);

/** The service for one cell at a time, and the time that both of its sides live in. */
export class World {
  readonly sandbox: Sandbox;
  readonly access: PartnerAccess;
  readonly #service: HostileService;
  readonly #limits: TimeLimits;
  readonly #prepared: Snapshot;
  #cell: Cell | undefined;
  #leave: (() => void) | undefined;
  baseUrl = '';
  requests: Request[] = [];

  /** Time passes only while a client waits for it. */
  readonly clock: Required<Clock> = {
    now: () => this.sandbox.clock.now(),
    date: () => this.sandbox.clock.now(),
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      await this.sandbox.clock.advance(ms);
    },
  };

  private constructor(service: HostileService, limits: TimeLimits, sandbox: Sandbox) {
    this.#service = service;
    this.#limits = limits;
    this.sandbox = sandbox;
    this.access = sandbox.accesses[0];
    this.#prepared = sandbox.snapshot();
  }

  static async open(service: HostileService, limits: TimeLimits): Promise<World> {
    const sandbox = createSandbox({ clock: 'frozen', startAt: startsAt, screens: 1 });
    sandbox.screens.add({ id: known.screen, country: 'ZZ' });
    sandbox.users.add({ user_id: 'usr_hostile', email: known.email });
    sandbox.campaignRequests.add({ id: known.request, industry: 'hostile' });
    await sandbox.fetch('http://sandbox/api/v1/coupons', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sandbox.accesses[0].apiKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        code: known.coupon,
        discount_type: 'percent',
        discount_value: 10,
        lead_email: known.email,
      }),
    });
    return new World(service, limits, sandbox);
  }

  /** Puts everything back and lets the cell's fault strike from now on. */
  enter(cell: Cell): void {
    this.leave();
    this.sandbox.restore(this.#prepared);
    this.requests = [];
    this.#cell = cell;
    const place = this.#service.open((received, response) => this.#answer(received, response));
    this.#leave = place.leave;
    const { effect } = cell.fault;
    this.baseUrl =
      effect.kind === 'unreachable' ? this.#service.deadEnds[effect.at] : place.baseUrl;
  }

  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  /** From now on the service behaves. */
  recover(): void {
    this.#cell = undefined;
  }

  /** A token of this access, got behind the back of the faults. */
  async accessToken(): Promise<string> {
    const { clientId, clientSecret } = this.access;
    const response = await this.sandbox.fetch('http://sandbox/api/v1/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: clientId, client_secret: clientSecret }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    return access_token;
  }

  async #answer(received: Received, response: ServerResponse): Promise<void> {
    const isStruck = this.#isStruck(received);
    this.requests.push({ kind: this.#kindOf(received), isStruck, at: this.clock.now() });
    const answer = () => this.#honestly(received);
    if (this.#cell && isStruck) return this.#strike(this.#cell, response, answer);
    const { status, headers, body } = await readAll(await answer());
    response.writeHead(status, headers).end(body);
  }

  async #strike(
    cell: Cell,
    response: ServerResponse,
    answer: () => Promise<Response>,
  ): Promise<void> {
    await cell.fault.strike(response, answer);
    const effect = effectOf(cell);
    if (effect.kind === 'lost' && effect.code === 'timeout') await this.#limits.silent();
  }

  #isStruck(received: Received): boolean {
    if (!this.#cell || this.#kindOf(received) !== this.#cell.target) return false;
    return this.#cell.span === 'always' || !this.requests.some(({ isStruck }) => isStruck);
  }

  #kindOf({ method, path }: Received): Request['kind'] {
    if (path === '/oauth/token') return 'token';
    const route = this.#cell?.task.route;
    return method === route?.method && route.path.test(path) ? 'task' : 'other';
  }

  #honestly({ method, path, headers, body }: Received): Promise<Response> {
    const { authorization, 'content-type': type } = headers;
    return this.sandbox.fetch(`http://sandbox/api/v1${path}`, {
      method,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(body && { body }),
    });
  }
}

async function readAll(response: Response) {
  const body = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}
