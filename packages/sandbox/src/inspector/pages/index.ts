import type { InspectorPage } from '../view.ts';
import { eventsPage } from './events-page.ts';
import { faultsPage } from './faults-page.ts';
import { journalPage } from './journal-page.ts';
import { campaignRequestsPage, couponsPage, usersPage } from './record-pages.ts';
import { screensPage } from './screens-page.ts';
import { startPage } from './start-page.ts';

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
