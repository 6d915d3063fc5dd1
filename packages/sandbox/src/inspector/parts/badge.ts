import { badgeOf } from '@screen-advertising/server-kit';

/** A state of a coupon, campaign request, screen or delivery. */
export const badge = badgeOf({
  good: ['active', 'delivered', 'converted', 'bookable'],
  waiting: ['pending', 'open'],
  bad: ['exhausted', 'rejected', 'revoked', 'expired'],
});
