import { defineApp, version as platformVersion, type Trigger } from 'zapier-platform-core';
import packageJson from '../package.json' with { type: 'json' };
import { authentication } from './authentication.ts';
import createCoupon from './creates/create-coupon.ts';
import createLandingLink from './creates/create-landing-link.ts';
import revokeCoupon from './creates/revoke-coupon.ts';
import campaignRequestList from './dropdowns/campaign-request-list.ts';
import screenList from './dropdowns/screen-list.ts';
import { countryList, orientationList } from './dropdowns/screen-values.ts';
import { addBearer } from './lib/bearer.ts';
import { downloadThumbnail } from './lib/thumbnail.ts';
import findAvailableScreens from './searches/find-available-screens.ts';
import findCampaignRequest from './searches/find-campaign-request.ts';
import findCoupon from './searches/find-coupon.ts';
import findScreen from './searches/find-screen.ts';
import findUser from './searches/find-user.ts';
import getScreenAvailability from './searches/get-screen-availability.ts';
import campaignRequestStatusChanged from './triggers/campaign-request-status-changed.ts';
import newCampaignRequest from './triggers/new-campaign-request.ts';
import newScreen from './triggers/new-screen.ts';
import screenAvailabilityChanged from './triggers/screen-availability-changed.ts';

/**
 * Runs a minute: Zapier counts no requests, of which the service allows one access as many
 * (section 8). Runs that make more than one may still be refused, and are then run again.
 */
const runsPerMinute = 600;

/**
 * The app. `eventTriggers` are those that the service calls: Zapier allows them in private apps
 * only, so the public variant has none.
 */
export function createApp(eventTriggers: Record<string, Trigger> = {}) {
  return defineApp({
    version: packageJson.version,
    platformVersion,
    authentication: authentication({ hasWebhooks: Object.keys(eventTriggers).length > 0 }),
    beforeRequest: [addBearer],
    hydrators: { downloadThumbnail },
    triggers: byKey([
      newCampaignRequest,
      newScreen,
      campaignRequestStatusChanged,
      screenAvailabilityChanged,
      ...Object.values(eventTriggers),
      screenList,
      campaignRequestList,
      countryList,
      orientationList,
    ]),
    creates: byKey([createCoupon, revokeCoupon, createLandingLink]),
    searches: byKey([
      findScreen,
      findAvailableScreens,
      getScreenAvailability,
      findUser,
      findCoupon,
      findCampaignRequest,
    ]),
    searchOrCreates: {
      [findCoupon.key]: {
        key: findCoupon.key,
        display: {
          label: 'Find or Create Coupon',
          description:
            'Finds a coupon by its code, whatever its state and lead, or creates it when there is none. Create Coupon with a code of your own does so too, and checks both.',
        },
        search: findCoupon.key,
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
