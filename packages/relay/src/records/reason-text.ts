/** Why a subscription is off, or a delivery dead or ignored, in a sentence. */
export function reasonText(reason: string | null): string {
  const key = (reason ?? '').replace(/^subscription_off: /, '');
  return Object.hasOwn(reasons, key) ? (reasons[key] ?? '') : (reason ?? '');
}

const reasons: Readonly<Record<string, string>> = {
  gone: 'The target responded with 410 (Gone)',
  failing: 'Every attempt failed for five days',
  token_revoked: 'Its token was revoked',
  key_rotated: 'Its key was rotated, and the new one was not used within a day',
  by_hand: 'Switched off by an operator',
  deleted: 'The subscription was deleted',
  retries_exhausted: 'Every retry failed',
  duplicate: 'Ignored: the workflow has had this delivery before',
  not_wanted: 'Ignored: the workflow does not want this event',
  sample: 'Ignored: the workflow does not run for samples',
};
