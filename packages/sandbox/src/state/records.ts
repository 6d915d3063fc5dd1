import * as z from 'zod';
import { accessById } from '../access/access.ts';
import { ProblemResponseError, parseWithSchema } from '../http/problem-response-error.ts';
import { type SandboxContext, timestamp } from './context.ts';
import { makeScreen } from './seed.ts';
import type { Store } from './store.ts';
import {
  type Delivery,
  type StoredCampaignRequest,
  type StoredCoupon,
  type StoredScreen,
  type StoredUser,
  storedCampaignRequest,
  storedScreen,
  storedUser,
} from './stored-records.ts';

const email = z.email('must be an email address such as lead@example.com');

/** Missing members keep their values, or get the seed's defaults. */
const screenSchema = storedScreen.omit({ position: true }).partial();

export const userSchema = storedUser.extend({ email }).partial();

export const campaignRequestSchema = storedCampaignRequest
  .omit({ position: true, updated_at: true })
  .extend({ email })
  .partial();

export type ScreenFields = Readonly<z.output<typeof screenSchema>>;
export type UserFields = Readonly<z.output<typeof userSchema>>;
export type CampaignRequestFields = Readonly<z.output<typeof campaignRequestSchema>>;

type Redeem = (event: 'coupon.redeemed', data: { readonly code: string }) => Promise<Delivery[]>;

export type RecordEditor = Readonly<ReturnType<typeof createRecordEditor>>;

/**
 * The service's records, to inspect and change outside its interface. Adding throws a
 * ProblemResponseError that names each invalid field.
 */
export function createRecordEditor(context: SandboxContext, fire: Redeem) {
  const { store } = context;
  return {
    /** How many records there are of each kind. Avoids a copy. */
    counts: () => ({
      screens: store.screens.size,
      coupons: store.coupons.size,
      users: store.users.size,
      campaignRequests: store.campaignRequests.size,
      deliveries: store.deliveries.size,
    }),
    screens: screenEditor(context),
    coupons: {
      list: (): StoredCoupon[] => copies(store.coupons),
      /**
       * Redeems the coupon once and delivers coupon.redeemed to the webhook addresses of its access.
       */
      redeem: (code: string): Promise<Delivery[]> => fire('coupon.redeemed', { code }),
    },
    users: userEditor(context),
    campaignRequests: campaignRequestEditor(context),
  };
}

function screenEditor(context: SandboxContext) {
  const { store } = context;
  return {
    list: (): StoredScreen[] => copies(store.screens),
    /**
     * Adds a screen like those of the seed, with these fields. A known `id` changes that screen.
     */
    add(fields: ScreenFields = {}): StoredScreen {
      const given = definedFields(parseWithSchema(screenSchema, fields));
      const screen = { ...(store.screens.get(given.id ?? '') ?? newScreen(context)), ...given };
      return set(context, store.screens, screen.id, screen);
    },
    remove(id: string): void {
      if (!store.screens.delete(id)) {
        throw new ProblemResponseError('not-found', `There is no screen ${id}.`);
      }
      context.changed();
    },
  };
}

function userEditor(context: SandboxContext) {
  const { store } = context;
  return {
    list: (): StoredUser[] => copies(store.users),
    /**
     * Adds a user with these fields, or changes the one with the same `user_id`. Without it, the
     * email address identifies the user, ignoring case.
     */
    add(fields: UserFields = {}): StoredUser {
      const given = definedFields(parseWithSchema(userSchema, fields));
      const known = findUser(store, given);
      const user = { ...(known ?? newUser(context, given.user_id)), ...given };
      return set(context, store.users, user.user_id, user);
    },
  };
}

function campaignRequestEditor(context: SandboxContext) {
  const { store } = context;
  return {
    list: (): StoredCampaignRequest[] => copies(store.campaignRequests),
    /**
     * Adds a campaign request. Default: for the first access. Sends no event. A known `id`
     * changes that request.
     */
    add(fields: CampaignRequestFields = {}): StoredCampaignRequest {
      const given = definedFields(parseWithSchema(campaignRequestSchema, fields));
      const accessId = accessById(context.accesses, given.accessId).id;
      const id = given.id ?? store.nextId('cr');
      const known = store.campaignRequests.get(id) ?? newRequest(context, id, accessId);
      if (known.accessId !== accessId) {
        throw new ProblemResponseError(
          'conflict',
          `The campaign request ${id} is of another access.`,
        );
      }
      const request = { ...known, ...given, updated_at: timestamp(context) };
      return set(context, store.campaignRequests, id, request);
    },
  };
}

function newScreen(context: SandboxContext): StoredScreen {
  const { store } = context;
  const position = store.nextNumber('screenPosition');
  return {
    ...makeScreen(store.random, position),
    id: `scr_added_${String(position).padStart(4, '0')}`,
    created_at: timestamp(context),
    is_active: true,
    bookable: true,
  };
}

function newUser(context: SandboxContext, user_id = context.store.nextId('usr')): StoredUser {
  return {
    user_id,
    email: `${user_id.replace('_', '-')}@example.com`,
    vat_uid: null,
    registered_at: timestamp(context),
    has_bookings: false,
    referredBy: null,
  };
}

function newRequest(context: SandboxContext, id: string, accessId: string): StoredCampaignRequest {
  return {
    id,
    accessId,
    status: null,
    industry: 'retail',
    email: 'lead@example.com',
    created_at: timestamp(context),
    updated_at: timestamp(context),
    position: context.store.nextNumber('campaignRequestPosition'),
  };
}

function set<Item>(
  { changed }: SandboxContext,
  items: Map<string, Item>,
  key: string,
  item: Item,
): Item {
  items.set(key, item);
  changed();
  return structuredClone(item);
}

/** The existing user that these fields describe; undefined for a new one. */
export function findUser({ users }: Store, { user_id, email }: UserFields): StoredUser | undefined {
  if (user_id !== undefined) return users.get(user_id);
  const wanted = email?.toLowerCase();
  return [...users.values()].find((user) => user.email.toLowerCase() === wanted);
}

function copies<Item>(items: ReadonlyMap<string, Item>): Item[] {
  return structuredClone([...items.values()]);
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Drops fields that are undefined. Null stays: it clears the field. */
export function definedFields<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<Fields>;
}
