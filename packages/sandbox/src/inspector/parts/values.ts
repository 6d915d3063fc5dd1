import { badgeOf } from '@screen-advertising/server-kit/pages';

/** A state of a coupon, campaign request, screen or delivery. */
export const badge = badgeOf({
  good: ['active', 'delivered', 'converted', 'bookable'],
  waiting: ['pending', 'open', 'ignored'],
  bad: ['exhausted', 'rejected', 'revoked', 'expired'],
});

/** Indented if it is JSON, since a reader looks for one member. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
