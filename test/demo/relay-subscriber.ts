import type { EventName } from '@screen-advertising/core';
import type { NewToken, Relay } from '@screen-advertising/relay';

interface RelayDelivery {
  readonly state: string;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly { readonly error: string | null }[];
}

export interface Subscriber {
  readonly key: NewToken;
  subscribe(targetUrl: string, type: EventName): Promise<{ id: string }>;
  /** The last delivery to this subscriber. */
  lastDelivery(): Promise<RelayDelivery>;
}

/** A client with a relay key, which is all that a subscriber needs. */
export async function subscriber(relay: Relay, url: string, name: string): Promise<Subscriber> {
  const key = await relay.tokens.create('main', name);
  let id = '';
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key.token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const record = await response.json();
    if (!response.ok) throw new Error(record.detail);
    return record;
  };
  return {
    key,
    async subscribe(targetUrl, type) {
      const record = await call('PUT', '/subscriptions', { target_url: targetUrl, events: [type] });
      id = record.id;
      return record;
    },
    async lastDelivery() {
      const { data } = await call('GET', `/deliveries?subscription_id=${id}&limit=1`);
      return data[0];
    },
  };
}
