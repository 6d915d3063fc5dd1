import type { ServerResponse } from 'node:http';
import {
  createSandbox,
  type PartnerAccess,
  type Sandbox,
  type Snapshot,
} from '@screen-advertising/sandbox';
import type { HostileService, Received } from '../support/hostile-service.ts';
import { effectOf } from './fault.ts';
import type { ServiceCell } from './service-cell.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { known } from './tasks.ts';

const startAt = Date.UTC(2027, 2, 1, 9);

type Kind = 'task' | 'token' | 'other';

interface Arrival {
  readonly received: Received;
  readonly isStruck: boolean;
  readonly at: number;
}

/** The service for one cell at a time, whose fault spoils the honest responses. */
export class ServiceWorld {
  readonly sandbox: Sandbox;
  readonly access: PartnerAccess;
  baseUrl = '';
  arrivals: Arrival[] = [];
  /** Whether a request would have waited for ever. */
  hangs = false;
  #cell: ServiceCell | undefined;
  #leave: (() => void) | undefined;
  readonly #service: HostileService;
  readonly #time: SimulatedTime;
  readonly #prepared: Snapshot;

  private constructor(service: HostileService, time: SimulatedTime, sandbox: Sandbox) {
    this.#service = service;
    this.#time = time;
    this.sandbox = sandbox;
    this.access = sandbox.accesses[0];
    this.#prepared = sandbox.snapshot();
  }

  static async open(service: HostileService, time: SimulatedTime): Promise<ServiceWorld> {
    const sandbox = createSandbox({ clock: 'frozen', startAt, screens: 1 });
    const { data, ...rest } = sandbox.snapshot();
    // Each cell restores all records, so there are few.
    const [users, campaignRequests] = [data.users.slice(0, 2), data.campaignRequests.slice(0, 2)];
    sandbox.restore({ ...rest, data: { ...data, users, campaignRequests } });
    sandbox.screens.add({ id: known.screen, country: 'ZZ' });
    sandbox.users.add({ user_id: 'usr_hostile', email: known.email });
    sandbox.campaignRequests.add({ id: known.request, industry: 'hostile' });
    const coupon = { discount_type: 'percent', discount_value: 10, lead_email: known.email };
    await post(sandbox, '/coupons', { ...coupon, code: known.coupon });
    return new ServiceWorld(service, time, sandbox);
  }

  /** Its time is that of its clients. */
  get clock() {
    return this.#time.clock;
  }

  /** Lets the cell's fault strike at a new address. */
  enter(cell: ServiceCell): void {
    this.leave();
    this.sandbox.restore(this.#prepared);
    this.#time.restart(startAt);
    this.#cell = cell;
    this.arrivals = [];
    this.hangs = false;
    const { baseUrl, leave } = this.#service.open(this.#respond.bind(this));
    this.#leave = leave;
    const { effect } = cell.fault;
    this.baseUrl = effect.kind === 'unreachable' ? this.#service.deadEnds[effect.at] : baseUrl;
  }

  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  /** A day later the service behaves. */
  recover(): void {
    this.#cell = undefined;
    this.#time.pass(86_400_000);
  }

  /** A token of this access, got behind the back of the faults. */
  async accessToken(): Promise<string> {
    const { clientId, clientSecret } = this.access;
    const body = { client_id: clientId, client_secret: clientSecret };
    const response = await post(this.sandbox, '/oauth/token', body);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  kindOf({ method, path }: Received, { task: { route } }: ServiceCell): Kind {
    if (path === '/oauth/token') return 'token';
    return method === route.method && route.path.test(path) ? 'task' : 'other';
  }

  async #respond(received: Received, response: ServerResponse): Promise<void> {
    this.#time.arrived();
    const isStruck = this.#isStruck(received);
    this.arrivals.push({ received, isStruck, at: this.clock.now() });
    const answer = () => this.#answer(received);
    if (this.#cell && isStruck) await this.#strike(this.#cell, response, answer);
    else await send(await answer(), response);
  }

  async #strike(cell: ServiceCell, response: ServerResponse, answer: () => Promise<Response>) {
    await cell.fault.strike(response, answer);
    const effect = effectOf(cell);
    if (effect.kind !== 'lost' || effect.code !== 'timeout') return;
    if (!(await this.#time.silent(response))) this.hangs = true;
  }

  #isStruck(received: Received): boolean {
    if (!this.#cell || this.kindOf(received, this.#cell) !== this.#cell.target) return false;
    return this.#cell.span === 'always' || !this.arrivals.some(({ isStruck }) => isStruck);
  }

  async #answer({ method, path, headers, body }: Received): Promise<Response> {
    await this.sandbox.clock.advance(this.clock.now() - this.sandbox.clock.now());
    const { authorization, 'content-type': type } = headers;
    return this.sandbox.fetch(`http://sandbox/api/v1${path}`, {
      method,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(body && { body }),
    });
  }
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  const body = await answer.text();
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
}

function post(sandbox: Sandbox, path: string, body: object): Promise<Response> {
  const authorization = `Bearer ${sandbox.accesses[0].apiKey}`;
  return sandbox.fetch(`http://sandbox/api/v1${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
