import { signWebhook } from '@screen-advertising/core';

export interface Forgeries {
  /** Sends the next one, each of another kind than the one before. */
  send(): void;
  /** Counts the responses by status. */
  answers(): Promise<Map<number, number>>;
  /** Ids that no execution may ever have. */
  readonly ids: ReadonlySet<string>;
}

/** Deliveries to the same address from senders other than the service. */
export function forgeries(url: string, secret: string): Forgeries {
  const ids = new Set<string>();
  const statuses: Promise<number>[] = [];
  const kinds: ((body: string, now: number) => string | undefined)[] = [
    (body, timestamp) => signWebhook({ body, secret: 'a-guess', timestamp }),
    (_, timestamp) => signWebhook({ body: '{}', secret, timestamp }),
    (body, timestamp) => signWebhook({ body, secret, timestamp: timestamp - 3600 }),
    () => undefined,
    (_, timestamp) => `t=${timestamp},v1=`,
  ];
  return {
    ids,
    send() {
      const id = `evt_forged_${ids.size}`;
      const kind = kinds[ids.size % kinds.length];
      ids.add(id);
      const body = JSON.stringify({ id, type: 'campaign.paid', data: { campaign_id: 'forged' } });
      const signature = kind?.(body, Math.floor(Date.now() / 1000));
      const answer = fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(signature !== undefined && { 'x-service-signature': signature }),
        },
        body,
        signal: AbortSignal.timeout(60_000),
      });
      statuses.push(
        answer.then(
          ({ status }) => status,
          () => 0,
        ),
      );
    },
    async answers() {
      const counts = new Map<number, number>();
      for (const status of await Promise.all(statuses)) {
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
      return counts;
    },
  };
}
