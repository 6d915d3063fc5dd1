import { type SandboxContext, timestamp } from '../context.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import { makeScreen } from '../seed/make-screens.ts';
import type { Store } from '../state/store.ts';
import type { StoredCampaignRequest, StoredScreen, StoredUser } from '../state/stored-records.ts';
import type { CampaignRequestFields, ScreenFields, UserFields } from './record-fields.ts';

/**
 * Adds a user, or changes the one with the same ID. Without an ID, the email address identifies the
 * user, ignoring case.
 */
export function addUser(context: SandboxContext, fields: UserFields): StoredUser {
  const { store } = context;
  const known = findUser(store, fields);
  const user = {
    ...(known ?? newUser(context, fields.user_id ?? store.nextId('usr'))),
    ...definedFields(fields),
  };
  store.users.set(user.user_id, user);
  return user;
}

/** The existing user that these fields describe; undefined for a new one. */
export function findUser({ users }: Store, { user_id, email }: UserFields): StoredUser | undefined {
  if (user_id !== undefined) return users.get(user_id);
  const wanted = email?.toLowerCase();
  return [...users.values()].find((user) => user.email.toLowerCase() === wanted);
}

function newUser(context: SandboxContext, userId: string): StoredUser {
  return {
    user_id: userId,
    email: `${userId.replace('_', '-')}@example.com`,
    vat_uid: null,
    registered_at: timestamp(context),
    has_bookings: false,
    referredBy: null,
  };
}

/** Changes the screen with this ID, or adds one like those of the seed. */
export function addScreen(context: SandboxContext, fields: ScreenFields): StoredScreen {
  const { store } = context;
  const known = fields.id === undefined ? undefined : store.screens.get(fields.id);
  const screen = { ...(known ?? newScreen(context)), ...definedFields(fields) };
  store.screens.set(screen.id, screen);
  return screen;
}

export function removeScreen({ store }: SandboxContext, id: string): void {
  if (store.screens.delete(id)) return;
  throw new ProblemResponseError('not-found', `There is no screen ${id}.`);
}

function newScreen(context: SandboxContext): StoredScreen {
  const position = context.store.nextNumber('screenPosition');
  return {
    ...makeScreen(context.store.random, position),
    id: `scr_added_${String(position).padStart(4, '0')}`,
    created_at: timestamp(context),
    is_active: true,
    bookable: true,
  };
}

type OwnFields = CampaignRequestFields & { readonly accessId: string };

/** Adds a campaign request, or changes the one with the same ID. */
export function addCampaignRequest(
  context: SandboxContext,
  fields: OwnFields,
): StoredCampaignRequest {
  const { store } = context;
  const id = fields.id ?? store.nextId('cr');
  const known = store.campaignRequests.get(id);
  if (known && known.accessId !== fields.accessId) {
    throw new ProblemResponseError('conflict', `The campaign request ${id} is of another access.`);
  }
  const request = {
    ...(known ?? newRequest(context, id, fields.accessId)),
    ...definedFields(fields),
    updated_at: timestamp(context),
  };
  store.campaignRequests.set(id, request);
  return request;
}

function newRequest(context: SandboxContext, id: string, accessId: string): StoredCampaignRequest {
  const now = timestamp(context);
  return {
    id,
    accessId,
    status: null,
    industry: 'retail',
    email: 'lead@example.com',
    created_at: now,
    updated_at: now,
    position: context.store.nextNumber('campaignRequestPosition'),
  };
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Drops fields that are undefined. Null stays: it clears the field. */
export function definedFields<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<Fields>;
}
