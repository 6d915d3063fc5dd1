import { accessOf } from '../accesses/access-of.ts';
import type { SandboxContext } from '../context.ts';
import type {
  CampaignRequestFields,
  ScreenFields,
  StoredCampaignRequest,
  StoredCoupon,
  StoredScreen,
  StoredUser,
  UserFields,
} from '../state/records.ts';
import { addCampaignRequest } from './campaign-requests.ts';
import { addScreen, removeScreen } from './screens.ts';
import { addUser } from './users.ts';

/** What the service holds, to look into and change behind the back of its interface. */
export interface Records {
  readonly screens: {
    list(): StoredScreen[];
    /** Adds a screen like those of the seed, with these fields; a known `id` changes that screen. */
    add(fields?: ScreenFields): StoredScreen;
    remove(id: string): void;
  };
  readonly coupons: { list(): StoredCoupon[] };
  readonly users: {
    list(): StoredUser[];
    /** Adds a user with these fields; a known `user_id` changes that user. */
    add(fields?: UserFields): StoredUser;
  };
  readonly campaignRequests: {
    list(): StoredCampaignRequest[];
    /** Adds a campaign request, of the first access unless told; no event is sent. */
    add(fields?: CampaignRequestFields): StoredCampaignRequest;
  };
}

export function recordsOf(context: SandboxContext): Records {
  const { store } = context;
  const changed = <Result>(result: Result): Result => {
    context.changed();
    return structuredClone(result);
  };
  return {
    screens: {
      list: () => copies(store.screens),
      add: (fields = {}) => changed(addScreen(context, fields)),
      remove: (id) => changed(removeScreen(context, id)),
    },
    coupons: { list: () => copies(store.coupons) },
    users: {
      list: () => copies(store.users),
      add: (fields = {}) => changed(addUser(context, fields)),
    },
    campaignRequests: {
      list: () => copies(store.campaignRequests),
      add(fields = {}) {
        const accessId = accessOf(context, fields.accessId).id;
        return changed(addCampaignRequest(context, { ...fields, accessId }));
      },
    },
  };
}

function copies<Item>(items: ReadonlyMap<string, Item>): Item[] {
  return structuredClone([...items.values()]);
}
