import type { ServerResponse } from 'node:http';
import type { HostileService, Received } from '../support/hostile-service.ts';
import { effectOf, type Fault, type Platform } from './fault.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** One situation: what a connector does on which platform, and what goes wrong how often. */
export interface Cell {
  readonly label: string;
  readonly platform: Platform;
  readonly fault: Fault;
  readonly span: 'once' | 'always';
}

interface Arrival {
  readonly received: Received;
  readonly isStruck: boolean;
  readonly at: number;
}

/** A server for one cell at a time, whose fault spoils the honest responses. */
export abstract class World<One extends Cell> {
  baseUrl = '';
  arrivals: Arrival[] = [];
  /** Whether a request is being responded to. */
  isBusy = false;
  /** Whether a request would have waited for ever. */
  hangs = false;
  protected cell: One | undefined;
  protected readonly service: HostileService;
  protected readonly time: SimulatedTime;
  #leave: (() => void) | undefined;

  constructor(service: HostileService, time: SimulatedTime) {
    this.service = service;
    this.time = time;
  }

  get clock() {
    return this.time.clock;
  }

  /** Lets the cell's fault strike at a new address. */
  enter(cell: One): void {
    this.leave();
    this.cell = cell;
    this.arrivals = [];
    this.hangs = false;
    const { baseUrl, leave } = this.service.open(this.#respond.bind(this));
    this.#leave = leave;
    const { effect } = cell.fault;
    this.baseUrl = effect.kind === 'unreachable' ? this.service.deadEnds[effect.at] : baseUrl;
  }

  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  protected abstract answer(received: Received): Promise<Response>;

  /** Whether a request is of the kind that the fault strikes. */
  protected abstract isTarget(received: Received): boolean;

  /** Prepares a response for the fault. */
  protected spoiled(response: ServerResponse): ServerResponse {
    return response;
  }

  async #respond(received: Received, response: ServerResponse): Promise<void> {
    this.isBusy = true;
    try {
      this.time.arrived();
      const isStruck = this.#isStruck(received);
      this.arrivals.push({ received, isStruck, at: this.clock.now() });
      const answer = () => this.answer(received);
      if (this.cell && isStruck) await this.#strike(this.cell, response, answer);
      else await send(await answer(), response);
    } finally {
      this.isBusy = false;
    }
  }

  async #strike(cell: One, response: ServerResponse, answer: () => Promise<Response>) {
    const { fault } = cell;
    this.time.pass(fault.takesMs ?? 0);
    await fault.strike(this.spoiled(response), answer);
    const effect = effectOf(cell);
    if (effect.kind !== 'lost' || effect.code !== 'timeout') return;
    if (!(await this.time.silent(response))) this.hangs = true;
  }

  #isStruck(received: Received): boolean {
    if (!this.cell || !this.isTarget(received)) return false;
    return this.cell.span === 'always' || !this.arrivals.some(({ isStruck }) => isStruck);
  }
}

export async function send(answer: Response, response: ServerResponse): Promise<void> {
  const body = await answer.text();
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
}
