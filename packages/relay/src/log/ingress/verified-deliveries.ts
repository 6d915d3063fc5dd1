import { verifySignature } from '@screen-advertising/core';
import { type SignatureOfSource, signatureText } from '../../base/stored-values.ts';
import type { RelayContext } from '../../context.ts';

import type { IngressSource } from './ingress-sources.ts';
import { RateBound } from './rate-bound.ts';

const maxNotesPerSecond = 5;

interface Delivery {
  readonly body: Uint8Array;
  readonly signature: string | undefined;
}

/**
 * Verifies deliveries, and notes which secret of a source was used last and how the service signs. Only
 * a change is written, so that a delivery usually costs nothing.
 */
export class VerifiedDeliveries {
  readonly #context: RelayContext;
  readonly #bound = new RateBound(maxNotesPerSecond);

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /** Throws WebhookVerificationError. */
  async verify(source: IngressSource, { body, signature }: Delivery): Promise<void> {
    const now = () => this.#context.clock.now();
    const { secrets } = source;
    const scheme = verifySignature({ body, signature, secrets, now });
    const only = { body, signature, secrets: secrets.slice(0, 1), now, scheme };
    const isCurrent = secrets.length === 1 || isVerified(only);
    await this.#note(source, isCurrent, {
      algorithm: scheme.algorithm,
      signed_content: scheme.signedContent,
      key: scheme.key,
    });
  }

  async #note(source: IngressSource, isCurrent: boolean, scheme: SignatureOfSource): Promise<void> {
    const { clock, db, observer } = this.#context;
    const [own, other] = isCurrent
      ? (['verified_at', 'previous_verified_at'] as const)
      : (['previous_verified_at', 'verified_at'] as const);
    const [ownAt, otherAt] = [Number(source[own]), Number(source[other])];
    const isNewScheme = signatureText(source.scheme) !== signatureText(scheme);
    if (ownAt > otherAt && !isNewScheme) return;
    if (!this.#bound.allows(source.number, clock.now())) return;
    const change = {
      [own]: new Date(Math.max(clock.now(), otherAt + 1)),
      ...(isNewScheme && { scheme, scheme_since: new Date(clock.now()) }),
    };
    await db
      .updateTable('source')
      .set(change)
      .where('number', '=', source.number)
      // A rotation meanwhile has moved the secrets.
      .where('secret', '=', source.secret)
      .execute();
    if (isNewScheme) {
      observer.signedAnew({
        source: source.name,
        from: signatureText(source.scheme),
        to: signatureText(scheme),
      });
    }
    Object.assign(source, change);
  }
}

/** Whether one of these secrets signed the delivery. */
export function isVerified(delivery: Parameters<typeof verifySignature>[0]): boolean {
  try {
    verifySignature(delivery);
    return true;
  } catch {
    return false;
  }
}
