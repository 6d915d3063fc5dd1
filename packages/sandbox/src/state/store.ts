import { SeededRandom } from './random.ts';
import type {
  Delivery,
  StoredCampaignRequest,
  StoredCoupon,
  StoredData,
  StoredScreen,
  StoredToken,
  StoredUser,
  WebhookRegistration,
} from './stored-records.ts';

/** Everything that requests can change, and nothing else. */
export class Store {
  readonly screens = new Map<string, StoredScreen>();
  readonly coupons = new Map<string, StoredCoupon>();
  readonly users = new Map<string, StoredUser>();
  readonly campaignRequests = new Map<string, StoredCampaignRequest>();
  /** Keyed by their SHA-256, so a snapshot contains no usable token. */
  readonly tokens = new Map<string, StoredToken>();
  readonly webhooks = new Map<string, WebhookRegistration>();
  readonly deliveries = new Map<string, Delivery>();
  readonly random = new SeededRandom(0);
  #counters: Record<string, number> = {};

  /** The next number of a kind, from 1. */
  nextNumber(kind: string): number {
    const next = this.lastNumber(kind) + 1;
    this.#counters[kind] = next;
    return next;
  }

  /** 0 before the first. */
  lastNumber(kind: string): number {
    return this.#counters[kind] ?? 0;
  }

  /** For example `usr_0007`. */
  nextId(prefix: string): string {
    return `${prefix}_${String(this.nextNumber(prefix)).padStart(4, '0')}`;
  }

  /** The live records, for reading before anything changes. */
  data(): StoredData {
    return {
      screens: [...this.screens],
      coupons: [...this.coupons],
      users: [...this.users],
      campaignRequests: [...this.campaignRequests],
      tokens: [...this.tokens],
      webhooks: [...this.webhooks],
      deliveries: [...this.deliveries],
      counters: this.#counters,
      random: this.random.state,
    };
  }

  load(data: StoredData): void {
    const { counters, random, ...collections } = structuredClone(data);
    for (const [name, entries] of Object.entries(collections)) {
      const map: Map<string, unknown> = this[name as keyof typeof collections];
      map.clear();
      for (const [key, item] of entries) map.set(key, item);
    }
    this.#counters = counters;
    this.random.state = random;
  }
}
