import { accessOf } from './accesses/access-of.ts';
import { addCampaignRequest } from './actions/campaign-requests.ts';
import { addScreen, removeScreen } from './actions/screens.ts';
import { addUser } from './actions/users.ts';
import type { SandboxContext } from './context.ts';
import type {
  CampaignRequestFields,
  ScreenFields,
  StoredCampaignRequest,
  StoredCoupon,
  StoredScreen,
  StoredUser,
  UserFields,
} from './state/records.ts';

/** Looks into and changes what the service holds, behind the back of its interface. */
export class Records {
  readonly #context: SandboxContext;

  constructor(context: SandboxContext) {
    this.#context = context;
  }

  screens(): StoredScreen[] {
    return copies(this.#context.store.screens);
  }

  /** Adds a screen like those of the seed, with these fields; a known id changes that screen. */
  addScreen(fields: ScreenFields = {}): StoredScreen {
    return this.#changed(addScreen(this.#context, fields));
  }

  removeScreen(id: string): void {
    this.#changed(removeScreen(this.#context, id));
  }

  coupons(): StoredCoupon[] {
    return copies(this.#context.store.coupons);
  }

  users(): StoredUser[] {
    return copies(this.#context.store.users);
  }

  /** Adds a user with these fields; a known `user_id` changes that user. */
  addUser(fields: UserFields = {}): StoredUser {
    return this.#changed(addUser(this.#context, fields));
  }

  campaignRequests(): StoredCampaignRequest[] {
    return copies(this.#context.store.campaignRequests);
  }

  /** Adds a campaign request with these fields, of the first access unless told. */
  addCampaignRequest(fields: CampaignRequestFields = {}): StoredCampaignRequest {
    const accessId = accessOf(this.#context, fields.accessId).id;
    return this.#changed(addCampaignRequest(this.#context, { ...fields, accessId }));
  }

  #changed<Result>(result: Result): Result {
    this.#context.changed();
    return structuredClone(result);
  }
}

function copies<Item>(items: ReadonlyMap<string, Item>): Item[] {
  return structuredClone([...items.values()]);
}
