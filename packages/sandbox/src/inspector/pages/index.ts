import type { InspectorPage } from '../view.ts';
import { campaignRequestsPage } from './campaign-requests.ts';
import { couponsPage } from './coupons.ts';
import { eventsPage } from './events.ts';
import { faultsPage } from './faults.ts';
import { journalPage } from './journal.ts';
import { screensPage } from './screens.ts';
import { startPage } from './start.ts';
import { usersPage } from './users.ts';

/** In the order of the navigation. */
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
