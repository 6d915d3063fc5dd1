import {
  createSandbox,
  type PartnerAccess,
  type Sandbox,
  type Snapshot,
} from '@screen-advertising/sandbox';
import type { HostileService, Received } from '../support/hostile-service.ts';
import type { ServiceCell } from './service-cell.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { known } from './tasks.ts';
import { World } from './world.ts';

const startAt = Date.UTC(2027, 2, 1, 9);

type Kind = 'task' | 'token' | 'other';

/** The service, whose time is that of its clients. */
export class ServiceWorld extends World<ServiceCell> {
  readonly sandbox: Sandbox;
  readonly access: PartnerAccess;
  readonly #prepared: Snapshot;

  private constructor(service: HostileService, time: SimulatedTime, sandbox: Sandbox) {
    super(service, time);
    this.sandbox = sandbox;
    this.access = sandbox.accesses[0];
    this.#prepared = sandbox.snapshot();
  }

  static async open(service: HostileService, time: SimulatedTime): Promise<ServiceWorld> {
    const sandbox = createSandbox({ clock: 'frozen', startAt, screens: 1 });
    sandbox.screens.add({ id: known.screen, country: 'ZZ' });
    sandbox.users.add({ user_id: 'usr_hostile', email: known.email });
    sandbox.campaignRequests.add({ id: known.request, industry: 'hostile' });
    const coupon = { discount_type: 'percent', discount_value: 10, lead_email: known.email };
    await post(sandbox, '/coupons', { ...coupon, code: known.coupon });
    return new ServiceWorld(service, time, sandbox);
  }

  override enter(cell: ServiceCell): void {
    this.sandbox.restore(this.#prepared);
    this.time.restart(startAt);
    super.enter(cell);
  }

  /** A day later the service behaves. */
  recover(): void {
    this.cell = undefined;
    this.time.pass(86_400_000);
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

  protected override isTarget(received: Received): boolean {
    return this.cell !== undefined && this.kindOf(received, this.cell) === this.cell.target;
  }

  protected override async answer({ method, path, headers, body }: Received): Promise<Response> {
    await this.sandbox.clock.advance(this.clock.now() - this.sandbox.clock.now());
    const { authorization, 'content-type': type } = headers;
    return this.sandbox.fetch(`http://sandbox/api/v1${path}`, {
      method,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(body && { body }),
    });
  }
}

function post(sandbox: Sandbox, path: string, body: object): Promise<Response> {
  const authorization = `Bearer ${sandbox.accesses[0].apiKey}`;
  return sandbox.fetch(`http://sandbox/api/v1${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
