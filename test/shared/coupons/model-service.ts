import type { Transport, TransportRequest, TransportResponse } from '@screen-advertising/core';
import { apiKey, type Client, createClient, TransportError } from '@screen-advertising/core';

/** What happens to one request on its way, and to its response. */
export type Fate = 'arrives' | 'lost before' | 'lost after' | 'late' | '503 before' | '503 after';

export interface ModelCoupon {
  readonly code: string;
  readonly lead_email: string;
  readonly discount_type: string;
  readonly discount_value: number;
  readonly max_redemptions: number;
  state: 'active' | 'redeemed' | 'revoked' | 'expired';
}

/**
 * The rules of the contract for coupons (sections 2.4, 4.5 and 4.6), in this process: a code is
 * taken once, and a lead has one active coupon.
 */
export class ModelService {
  readonly coupons: ModelCoupon[] = [];
  /** Each request and its fate. */
  readonly log: string[] = [];
  readonly #showsStatus: boolean;
  unknownStatus = 404;
  fate: (request: string) => Fate = () => 'arrives';
  /** Requests that arrive after their callers gave up. */
  readonly #late: (() => unknown)[] = [];
  /** What the service shows of a coupon beside its code, if not all of it. */
  shown: ((coupon: object) => object) | undefined;
  /** What a service that finds every code returns. */
  finds: ((asked: { code: string }) => object) | undefined;
  /** The problem of every request that creates a coupon, if it refuses them all; with `{code}`. */
  refuses: { readonly status: number; readonly detail: string } | undefined;

  constructor({ showsStatus = true } = {}) {
    this.#showsStatus = showsStatus;
  }

  client(attempts = 3): Client {
    const transport: Transport = {
      clock: { now: () => 0, sleep: async () => undefined },
      send: (request) => this.#send(request),
    };
    return createClient({
      baseUrl: 'http://localhost:1/api/v1',
      auth: apiKey('svc_model'),
      transport,
      rateLimit: false,
      retry: { attempts },
    });
  }

  async #send({ method, url, body }: TransportRequest): Promise<TransportResponse> {
    const path = decodeURIComponent(new URL(url).pathname.slice('/api/v1'.length));
    const request = `${method} ${path}`;
    const fate = this.fate(request);
    this.log.push(`${request} ${fate}`);
    const lost = new TransportError('The connection broke', {
      code: 'network_error',
      sent: 'maybe',
    });
    const carryOut = () =>
      method === 'POST' ? this.#create(JSON.parse(body ?? '')) : this.#get(path);
    if (fate === 'late') this.#late.push(carryOut);
    if (fate === 'late' || fate === 'lost before') throw lost;
    if (fate === '503 before') return problem(503);
    const response = carryOut();
    for (const arrive of this.#late.splice(0)) arrive();
    if (fate === 'lost after') throw lost;
    return fate === '503 after' ? problem(503) : response;
  }

  #create(fields: Omit<ModelCoupon, 'state'>): TransportResponse {
    const lead_email = fields.lead_email.toLowerCase();
    const { max_redemptions = 1, code = `BVCC-${this.coupons.length + 1}` } = fields;
    if (this.refuses) {
      return problem(this.refuses.status, this.refuses.detail.replace('{code}', code));
    }
    if (this.coupons.some((other) => other.code === code)) return problem(409, `${code} is taken`);
    const isOfLead = (other: ModelCoupon) =>
      other.state === 'active' && other.lead_email.toLowerCase() === lead_email;
    if (this.coupons.some(isOfLead)) return problem(409, 'the lead has an active coupon');
    const coupon: ModelCoupon = { ...fields, code, max_redemptions, state: 'active' };
    this.coupons.push(coupon);
    return this.#respond(201, coupon);
  }

  #get(path: string): TransportResponse {
    const asked = path.slice('/coupons/'.length);
    if (this.finds)
      return { status: 200, headers: {}, body: JSON.stringify(this.finds({ code: asked })) };
    const coupon = this.coupons.find(({ code }) => code === asked);
    return coupon ? this.#respond(200, coupon) : problem(this.unknownStatus);
  }

  #respond(status: number, { state, ...record }: ModelCoupon): TransportResponse {
    const all = this.#showsStatus ? { ...record, status: state } : record;
    const shown = this.shown ? { code: record.code, ...this.shown(all) } : all;
    return { status, headers: {}, body: JSON.stringify(shown) };
  }
}

function problem(status: number, detail = `status ${status}`): TransportResponse {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail }),
  };
}
