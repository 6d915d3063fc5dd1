import { signWebhook, verifySignature, WebhookVerificationError } from '@screen-advertising/core';

export const secret = 'whsec_shared_by_both_sides';
/** Seconds since 1970; the time of the receiver in all these tests. */
export const time = 1_800_000_000;

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface Delivery {
  readonly body: Uint8Array | string;
  readonly signature: string;
}

/** A delivery as the service sends it. */
export function honest(body: Uint8Array | string = '{"type":"campaign.paid"}'): Delivery {
  return { body, signature: signWebhook({ body, secret, timestamp: time }) };
}

export function verify(delivery: Delivery, secrets: readonly string[] = [secret]): void {
  verifySignature({ ...delivery, secrets, now: () => time * 1000 });
}

/** What a delivery was refused with; undefined when it was accepted. Other errors pass through. */
export function refusalOf(run: () => unknown): WebhookVerificationError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  }
}

/** Hands over what the types forbid, as a caller in plain JavaScript can. */
export function loosely(run: unknown): (argument?: unknown) => unknown {
  return run as (argument?: unknown) => unknown;
}
