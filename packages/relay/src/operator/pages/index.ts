import type { DetailPage, ListPage } from '../view.ts';
import { deliveriesPage } from './deliveries-page.ts';
import { eventPage } from './event-page.ts';
import { eventsPage } from './events-page.ts';
import { overviewPage } from './overview-page.ts';
import { setUpPage } from './set-up-page.ts';
import { sourcesPage } from './sources-page.ts';
import { subscriptionPage } from './subscription-page.ts';
import { subscriptionsPage } from './subscriptions-page.ts';
import { tokensPage } from './tokens-page.ts';

/** In navigation order. */
export const lists: readonly ListPage[] = [
  overviewPage,
  eventsPage,
  deliveriesPage,
  subscriptionsPage,
  setUpPage,
  sourcesPage,
  tokensPage,
];

export const details: readonly DetailPage[] = [eventPage, subscriptionPage];
