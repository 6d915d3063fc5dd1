import { verifyWebhook, type WebhookEvent } from '@screen-advertising/core';
import { signatureHeaderName } from '@screen-advertising/core/webhooks';
import type { Bundle } from 'zapier-platform-core';

/** Seconds: the service stops retrying 756 s after an event, and Zapier may hold deliveries. */
const toleranceSeconds = 1200;

/** Returns a delivery that one of the secrets signed. Throws WebhookVerificationError. */
export function verifiedDelivery(
  { rawRequest }: Bundle,
  secrets: readonly string[],
): WebhookEvent & { readonly body: string } {
  const body = rawRequest?.content ?? '';
  const signature = headerOf(rawRequest?.headers, signatureHeaderName);
  return { ...verifyWebhook({ body, signature, secrets, toleranceSeconds }), body };
}

/** Zapier writes header names as `Http-X-Service-Signature`. */
export function headerOf(headers: Record<string, string> = {}, wanted: string): string | undefined {
  const named = Object.entries(headers).find(
    ([name]) => name.toLowerCase().replace(/^http-/, '') === wanted,
  );
  return named?.[1];
}
