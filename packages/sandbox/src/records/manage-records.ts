import { accessOf } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';
import { check } from '../problems/problem-response-error.ts';
import type {
  Delivery,
  StoredCampaignRequest,
  StoredCoupon,
  StoredScreen,
  StoredUser,
} from '../state/stored-records.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import { addCampaignRequest, addScreen, addUser, removeScreen } from './add-records.ts';
import { findCoupon } from './coupon-lifecycle.ts';
import { fire } from './fire.ts';
import {
  type CampaignRequestFields,
  campaignRequestFields,
  type ScreenFields,
  screenFields,
  type UserFields,
  userFields,
} from './record-fields.ts';

export type Records = Readonly<ReturnType<typeof recordsOf>>;

/**
 * The service's records, to inspect and change outside its interface. Adding throws a
 * ProblemResponseError that names each invalid field.
 */
export function recordsOf(context: SandboxContext, deliveries: Deliveries) {
  const { store } = context;
  const changed = <Result>(result: Result): Result => {
    context.changed();
    return structuredClone(result);
  };
  return {
    /** How many records there are of each kind. Avoids a copy. */
    counts: () => ({
      screens: store.screens.size,
      coupons: store.coupons.size,
      users: store.users.size,
      campaignRequests: store.campaignRequests.size,
      deliveries: store.deliveries.size,
    }),
    screens: {
      list: (): StoredScreen[] => copies(store.screens),
      /**
       * Adds a screen like those of the seed, with these fields. A known `id` changes that screen.
       */
      add: (fields: ScreenFields = {}): StoredScreen =>
        changed(addScreen(context, check(screenFields, fields))),
      remove: (id: string): void => changed(removeScreen(context, id)),
    },
    coupons: {
      list: (): StoredCoupon[] => copies(store.coupons),
      /**
       * Redeems the coupon once and delivers coupon.redeemed to the webhook addresses of its access.
       */
      async redeem(code: string): Promise<Delivery[]> {
        findCoupon(store, code);
        return fire(context, deliveries, 'coupon.redeemed', { code });
      },
    },
    users: {
      list: (): StoredUser[] => copies(store.users),
      /** Adds a user with these fields. A known `user_id` changes that user. */
      add: (fields: UserFields = {}): StoredUser =>
        changed(addUser(context, check(userFields, fields))),
    },
    campaignRequests: {
      list: (): StoredCampaignRequest[] => copies(store.campaignRequests),
      /** Adds a campaign request. Default: for the first access. Sends no event. */
      add(fields: CampaignRequestFields = {}): StoredCampaignRequest {
        const checked = check(campaignRequestFields, fields);
        const accessId = accessOf(context.accesses, checked.accessId).id;
        return changed(addCampaignRequest(context, { ...checked, accessId }));
      },
    },
  };
}

function copies<Item>(items: ReadonlyMap<string, Item>): Item[] {
  return structuredClone([...items.values()]);
}
