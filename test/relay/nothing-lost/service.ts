import { setTimeout as wait } from 'node:timers/promises';
import { signWebhook } from '@screen-advertising/core';

export const type = 'campaign.paid';
export const secret = 'signing-secret-of-the-service';
const pauseMs = 50;
const longestAnswerMs = 30_000;

/** The bytes of an event, derived from its number. */
export const bodyOf = (number: number): string =>
  JSON.stringify({ id: `evt_${number}`, type, data: { number } });

/** The service: it delivers each event until the response is 2xx. */
export class Service {
  /** Events that got a 2xx response. */
  acknowledged = 0;
  /** Attempts that got no 2xx response. */
  refused = 0;
  readonly #addresses: readonly string[];

  /** Addresses to deliver to, in turn. */
  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
  }

  /** Delivers events numbered from 0, several at a time. */
  async deliver(count: number, atOnce: number): Promise<void> {
    let next = 0;
    const work = async () => {
      for (let number = next++; number < count; number = next++) await this.#deliver(number);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  async #deliver(number: number): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const address = this.#addresses[(number + attempt) % this.#addresses.length] ?? '';
      if (await post(address, bodyOf(number))) break;
      this.refused += 1;
      await wait(pauseMs);
    }
    this.acknowledged += 1;
  }
}

async function post(address: string, body: string): Promise<boolean> {
  const signature = signWebhook({ body, secret, timestamp: Math.floor(Date.now() / 1000) });
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': signature },
      body,
      signal: AbortSignal.timeout(longestAnswerMs),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
