import type { Row } from '../row.ts';
import { accessRules } from './access-rules.ts';
import { authenticationRows, tokenRows } from './authentication.ts';
import { campaignRequestRows } from './campaign-requests.ts';
import { couponRows } from './coupons.ts';
import { errorRows, limitRows } from './errors-and-limits.ts';
import { eventRows } from './events.ts';
import { screenRows } from './screens.ts';
import { landingLinkRows, userRows } from './users-and-links.ts';

/** Every statement of the specification that can be checked, in the order of its sections. */
export const rows: readonly Row[] = [
  ...accessRules,
  ...screenRows,
  ...couponRows,
  ...userRows,
  ...landingLinkRows,
  ...campaignRequestRows,
  ...tokenRows,
  ...authenticationRows,
  ...eventRows,
  ...errorRows,
  ...limitRows,
];
