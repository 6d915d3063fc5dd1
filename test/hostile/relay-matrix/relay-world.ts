import type { ServerResponse } from 'node:http';
import { makeToken } from '../../../packages/relay/src/secrets/new-token.ts';
import type { HostileService, Received } from '../support/hostile-service.ts';
import { echoing, formNumber, textWith } from './echo.ts';
import { HonestRelay } from './honest-relay.ts';
import type { RelayCell } from './relay-cell.ts';
import { expected } from './rule.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** The relay of one cell at a time, which quotes the connector key wherever it can. */
export class RelayWorld {
  readonly key = makeToken();
  readonly secrets = [this.key.connectorKey, this.key.token, this.key.signingSecret];
  readonly #service: HostileService;
  readonly #time: SimulatedTime;
  #cell: RelayCell | undefined;
  #relay = new HonestRelay('');
  #form = '';
  #isStriking = false;
  #leave: (() => void) | undefined;
  #startedAt = 0;
  baseUrl = '';
  /** Requests of the cell's kind since the faults began. */
  requests = 0;
  /** Whether the cell's action cannot succeed. */
  mustFail = false;
  /** Whether a request is being responded to. */
  isBusy = false;
  /** Whether a request would have waited for ever. */
  hangs = false;

  constructor(service: HostileService, time: SimulatedTime) {
    this.#service = service;
    this.#time = time;
  }

  get clock() {
    return this.#time.clock;
  }

  enter(cell: RelayCell, nth: number): void {
    this.leave();
    this.#cell = cell;
    this.#form = formNumber(this.secrets, nth);
    this.#relay = new HonestRelay(textWith(this.#form));
    this.#isStriking = false;
    this.hangs = false;
    this.mustFail = expected(cell).ends === 'fails';
    const place = this.#service.open(this.#respond.bind(this));
    this.#leave = place.leave;
    const { effect } = cell.fault;
    this.baseUrl =
      effect.kind === 'unreachable' ? this.#service.deadEnds[effect.at] : place.baseUrl;
  }

  /** From now on the fault strikes, and time counts. */
  strike(): void {
    this.#isStriking = true;
    this.requests = 0;
    this.#startedAt = this.clock.now();
  }

  /** Milliseconds since then. */
  get elapsed(): number {
    return this.clock.now() - this.#startedAt;
  }

  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  /** Opens an address of something else than the relay. */
  open(respond: (received: Received) => Response): { baseUrl: string; leave: () => void } {
    return this.#service.open(async (received, response) => send(respond(received), response));
  }

  async #respond(received: Received, response: ServerResponse): Promise<void> {
    this.isBusy = true;
    try {
      await this.#respondTo(received, response);
    } finally {
      this.isBusy = false;
    }
  }

  async #respondTo(received: Received, response: ServerResponse): Promise<void> {
    this.#time.arrived();
    const answer = async () => this.#relay.respond(received);
    if (!this.#isStruck(received)) return send(await answer(), response);
    const { fault, call } = this.#cell as RelayCell;
    if ('takesMs' in fault) this.#time.pass(fault.takesMs);
    const inHeaders = call.platform !== 'zapier';
    await fault.strike(echoing(response, this.#form, { inHeaders }), answer);
    const effect = fault.on?.[call.platform] ?? fault.effect;
    if (effect.kind !== 'lost' || effect.code !== 'timeout') return;
    if (!(await this.#time.silent(response))) this.hangs = true;
  }

  #isStruck({ method, path }: Received): boolean {
    const { call, span } = this.#cell as RelayCell;
    const isOwn = method === call.route.method && call.route.path.test(path);
    if (!isOwn || !this.#isStriking) return false;
    this.requests += 1;
    return span === 'always' || this.requests === 1;
  }
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}
