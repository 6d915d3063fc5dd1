import { createHmac } from 'node:crypto';
import { signWebhook, verifySignature, WebhookVerificationError } from '@screen-advertising/core';

export const secret = 'whsec_shared_by_both_sides';
/** Seconds since 1970: the receiver's time in all these tests. */
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

/** The error of a refused delivery; undefined for an accepted one. Rethrows other errors. */
export function refusalOf(run: () => unknown): WebhookVerificationError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  }
}

/** Passes arguments that the types forbid, as plain JavaScript can. */
export function loosely(run: unknown): (argument?: unknown) => unknown {
  return run as (argument?: unknown) => unknown;
}

/** A body, and the header that the service sends with it. */
export const body = '{"type":"campaign.paid"}';
export const { signature } = honest(body);
export const hex: string = signature.slice(signature.indexOf('v1=') + 3);

/** Hex of a signature over exactly this text, with any timestamp. */
export const hmac = (content: string | Uint8Array, algorithm = 'sha256'): string =>
  createHmac(algorithm, secret).update(content).digest('hex');

/** The error that refuses the body with this header. */
export const withHeader = (header: unknown): WebhookVerificationError | undefined =>
  refusalOf(() =>
    loosely(verifySignature)({
      body,
      signature: header,
      secrets: [secret],
      now: () => time * 1000,
    }),
  );
