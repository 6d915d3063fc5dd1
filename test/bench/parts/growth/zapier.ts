import { createZapierRunner } from '../../../zapier/app/runner.ts';
import type { Item, Subjects } from './subject.ts';

/** Every action of the app, in an order in which each finds what it needs; an item is one run. */
export const zapierSubjects: Subjects = async ({
  baseUrl,
  apiKey,
  screenId,
  campaignRequestId,
}) => {
  const zapier = createZapierRunner({ baseUrl, credentials: { apiKey } });
  await zapier.connect();
  const dates = { from: '2027-03-01', to: '2027-03-31' };
  const coupon = { discount_type: 'free_days', discount_value: 2 };
  const actions: Record<string, (item: Item) => Promise<unknown>> = {
    'Find User': ({ email }) => zapier.search('find_user', { email }),
    'Find Screen': () => zapier.search('find_screen', { screenId }),
    'Get Screen Availability': () =>
      zapier.search('get_screen_availability', { screenId, ...dates }),
    'Find Campaign Request': () =>
      zapier.search('find_campaign_request', { id: campaignRequestId }),
    'New Campaign Request': () => zapier.poll('new_campaign_request'),
    'Create Landing Link': () =>
      zapier.create('create_landing_link', { fields: { utm_campaign: 'spring' } }),
    'Create Coupon': ({ email, code }) =>
      zapier.create('create_coupon', { ...coupon, lead_email: email, code }),
    'Find Coupon': ({ code }) => zapier.search('find_coupon', { code }),
    'Revoke Coupon': ({ code }) => zapier.create('revoke_coupon', { code }),
  };
  return Object.entries(actions).map(([name, act]) => ({
    name: `Zapier, ${name}`,
    async run(items) {
      const results: unknown[] = [];
      for (const item of items) results.push(await act(item));
      return results;
    },
  }));
};
