import { type Operation, operations } from '@screen-advertising/core';
import { userLookupFacts } from '@screen-advertising/core/forms';
import {
  type Create,
  defineApp,
  version as platformVersion,
  type Search,
  type Trigger,
} from 'zapier-platform-core';
import packageJson from '../package.json' with { type: 'json' };
import { authentication } from './authentication.ts';
import createCoupon from './creates/create-coupon.ts';
import createLandingLink from './creates/create-landing-link.ts';
import revokeCoupon from './creates/revoke-coupon.ts';
import { campaignRequestListTrigger, screenListTrigger, valueListTriggers } from './dropdowns.ts';
import { computePeriod, periodFormAdditions } from './lib/period.ts';
import { downloadThumbnail } from './lib/screens.ts';
import { createFromCatalogue, drawQrCodeFile, searchFromCatalogue } from './lib/steps.ts';

import { addBearerToken } from './lib/transport.ts';
import findAvailableScreens from './searches/find-available-screens.ts';
import findCampaignRequest from './searches/find-campaign-request.ts';
import findCoupon from './searches/find-coupon.ts';
import findScreen from './searches/find-screen.ts';
import campaignRequestStatusChanged from './triggers/campaign-request-status-changed.ts';
import { eventsThroughRelay, triggersWithPollingTwin } from './triggers/events-through-relay.ts';
import newCampaignRequest from './triggers/new-campaign-request.ts';
import newScreen from './triggers/new-screen.ts';
import screenAvailabilityChanged from './triggers/screen-availability-changed.ts';

/**
 * Runs per minute. Zapier does not count requests, and the service allows one access as many per
 * minute (section 8). It may still refuse runs that make more than one; Zapier then runs them
 * again.
 */
const runsPerMinute = 600;

/** Operations where Zapier says or does something different. The catalogue defines all others. */
const customCreates: Partial<Record<string, Create>> = {
  'coupon.create': createCoupon,
  'coupon.revoke': revokeCoupon,
  'landingLink.create': createLandingLink,
};

/** Searches that are not made from the catalogue: a list needs filters and pages. */
const customSearches: Partial<Record<string, Search>> = {
  'screen.list': findScreen,
  'screen.get': findScreen,
  'screen.availability': searchFromCatalogue(operations['screen.availability'], {
    label: 'Find Screen Availability',
    noun: 'Availability',
    description: 'Finds the share of voice left on a screen between two dates.',
    ...periodFormAdditions,
    prepare: computePeriod,
    primary: ['screen_id', 'from', 'to'],
  }),
  'coupon.get': findCoupon,
  'user.lookup': searchFromCatalogue(operations['user.lookup'], {
    description: 'Finds a user by email address or VAT number.',
    primary: ['user_id'],
    sample: { exists: true, referred_by_you: true },
    shown: (record) => {
      const facts = userLookupFacts(record);
      return facts.exists ? { ...record, ...facts } : undefined;
    },
  }),
  'campaignRequest.list': findCampaignRequest,
  'campaignRequest.get': findCampaignRequest,
};

const all = Object.values<Operation>(operations);
const creates = all
  .filter(({ method }) => method === 'POST')
  .map((operation) => customCreates[operation.name] ?? createFromCatalogue(operation));
const searches = all
  .filter(
    ({ name, method, responseShape }) =>
      method === 'GET' && (responseShape === 'record' || name in customSearches),
  )
  .map((operation) => customSearches[operation.name] ?? searchFromCatalogue(operation));

/**
 * Creates the app. A person registers the address of `staticHooks`. Zapier allows those in private
 * apps only, so the public variant has none, and one trigger for each meaning.
 */
export function createApp(staticHooks: readonly Trigger[] = []) {
  const isPublic = staticHooks.length === 0;
  const instant = eventsThroughRelay.filter(
    ({ key }) => !isPublic || !triggersWithPollingTwin.includes(key),
  );
  return defineApp({
    version: packageJson.version,
    platformVersion,
    authentication: authentication({ hasStaticHooks: !isPublic }),
    beforeRequest: [addBearerToken],
    hydrators: { downloadThumbnail, drawQrCodeFile },
    triggers: byKey([
      newCampaignRequest,
      newScreen,
      campaignRequestStatusChanged,
      screenAvailabilityChanged,
      ...instant,
      ...staticHooks,
      screenListTrigger,
      campaignRequestListTrigger,
      ...valueListTriggers,
    ]),
    creates: byKey(creates),
    searches: byKey([...searches, findAvailableScreens]),
    searchOrCreates: {
      find_coupon: {
        key: 'find_coupon',
        display: {
          label: 'Find or Create Coupon',
          description: 'Finds a coupon by its code or its lead, or creates one.',
        },
        search: 'find_coupon',
        create: createCoupon.key,
      },
    },
    throttle: {
      window: 60,
      limit: runsPerMinute,
      key: 'partner-interface',
      scope: ['auth'],
    },
    flags: {
      // The client reads every status, and Retry-After in each of its forms.
      skipThrowForStatus: true,
      throwForThrottlingEarly: false,
      cleanInputData: false,
    },
  });
}

function byKey<Part extends { key: string }>(parts: Part[]): Record<string, Part> {
  return Object.fromEntries(parts.map((part) => [part.key, part]));
}
