import type { Accesses } from '../accesses/access.ts';
import { Random } from '../random.ts';
import type { StoredData } from '../state/snapshot.ts';
import { makeCampaignRequests, makeUsers } from './make-leads.ts';
import { makeScreen } from './make-screens.ts';

/** The records of a new sandbox. The same options generate the same data. */
export function makeSeed(seed: number, count: number, accesses: Accesses): StoredData {
  const random = new Random(seed);
  const screens = Array.from({ length: count }, (_, index) => makeScreen(random, index + 1));
  const users = makeUsers(random, accesses);
  const campaignRequests = makeCampaignRequests(random, accesses);
  return {
    screens: screens.map((screen) => [screen.id, screen]),
    users: users.map((user) => [user.user_id, user]),
    campaignRequests: campaignRequests.map((request) => [request.id, request]),
    coupons: [],
    tokens: [],
    webhooks: [],
    deliveries: [],
    counters: {
      scr: screens.length,
      usr: users.length,
      cr: campaignRequests.length,
      screenPosition: screens.length,
      campaignRequestPosition: campaignRequests.length,
    },
    random: random.state,
  };
}
