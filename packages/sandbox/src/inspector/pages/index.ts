import type { InspectorPage } from '../view.ts';
import { campaignRequestsPage } from './campaign-requests-page.ts';
import { couponsPage } from './coupons-page.ts';
import { eventsPage } from './events-page.ts';
import { faultsPage } from './faults-page.ts';
import { journalPage } from './journal-page.ts';
import { screensPage } from './screens-page.ts';
import { startPage } from './start-page.ts';
import { usersPage } from './users-page.ts';

/** In navigation order. */
export const pages: readonly InspectorPage[] = [
  startPage,
  screensPage,
  couponsPage,
  usersPage,
  campaignRequestsPage,
  eventsPage,
  journalPage,
  faultsPage,
];
