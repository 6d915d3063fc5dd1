import { type Client, operations, ScreenAdvertisingError } from '@screen-advertising/core';
import { remedyForUnknownOutcome } from '../lib/errors.ts';
import { createFromCatalogue } from '../lib/steps.ts';

/** The statuses in which no one can redeem a coupon. */
const over = /^(revoked|redeemed|expired)$/i;

/**
 * The service refuses to revoke a coupon that is over, and many other requests in the same way. Only
 * the coupon itself shows that nothing is left to revoke.
 */
async function whyDone(
  client: Client,
  { code }: Readonly<Record<string, unknown>>,
  error: ScreenAdvertisingError,
): Promise<string | undefined> {
  const isRefused = error.code === 'invalid_request' || error.code === 'conflict';
  if (!isRefused || error.problem === undefined) return undefined;
  try {
    const coupon: object = await client.call(operations['coupon.get'], { code: String(code) });
    const { status } = coupon as { status?: unknown };
    return typeof status === 'string' && over.test(status.trim())
      ? `Revoke Coupon has nothing to do: the coupon ${code} is already ${status.trim().toLowerCase()}.`
      : undefined;
  } catch (failure) {
    const isPassedOn =
      !ScreenAdvertisingError.isInstance(failure) || failure.code === 'rate_limited';
    // Zapier runs the step again automatically. Any other failure says less than the refusal.
    if (isPassedOn) throw failure;
    return undefined;
  }
}

const stillActive =
  'The coupon may still be active: check it with Find Coupon, then replay the step.';

export default createFromCatalogue(operations['coupon.revoke'], {
  description: 'Revokes a coupon, which cannot be undone.',
  advice: {
    invalid_request: stillActive,
    conflict: stillActive,
    not_found: 'Check Code.',
    outcome_unknown: remedyForUnknownOutcome(
      'A coupon is revoked only once, so that does no harm.',
    ),
  },
  whyDone,
});
