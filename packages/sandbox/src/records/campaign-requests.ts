import { type SandboxContext, timestamp } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { CampaignRequestFields, StoredCampaignRequest } from '../state/records.ts';
import { given } from './given.ts';

type OwnFields = CampaignRequestFields & { readonly accessId: string };

/** Adds a campaign request, or changes the one with the same id. */
export function addCampaignRequest(
  context: SandboxContext,
  fields: OwnFields,
): StoredCampaignRequest {
  const { store } = context;
  const id = fields.id ?? store.nextId('cr');
  const known = store.campaignRequests.get(id);
  if (known && known.accessId !== fields.accessId) {
    throw new Refusal(409, 'conflict', `The campaign request ${id} is of another access.`);
  }
  const request = {
    ...(known ?? newRequest(context, id, fields.accessId)),
    ...given(fields),
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
