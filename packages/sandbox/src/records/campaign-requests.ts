import { type SandboxContext, timestamp } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { StoredCampaignRequest } from '../state/records.ts';
import { textOr } from './text-or.ts';

type Data = Record<string, unknown> & { accessId: string };

/** A campaign request comes in; with the id of one that is there, that one is meant. */
export function addCampaignRequest(context: SandboxContext, data: Data): StoredCampaignRequest {
  const { store } = context;
  const known = typeof data.id === 'string' ? store.campaignRequests.get(data.id) : undefined;
  if (known) return ownRequest(known, data.accessId);
  const now = timestamp(context);
  const request: StoredCampaignRequest = {
    id: textOr(data.id, '') || store.nextId('cr'),
    accessId: data.accessId,
    status: textOr(data.status, '') || null,
    industry: textOr(data.industry, 'retail'),
    email: textOr(data.email, 'lead@example.com'),
    created_at: textOr(data.created_at, now),
    updated_at: now,
    position: store.nextNumber('campaignRequestPosition'),
  };
  store.campaignRequests.set(request.id, request);
  return request;
}

export function rejectCampaignRequest(context: SandboxContext, data: Data): StoredCampaignRequest {
  const request = addCampaignRequest(context, data);
  request.status = 'rejected';
  request.updated_at = timestamp(context);
  return request;
}

function ownRequest(request: StoredCampaignRequest, accessId: string): StoredCampaignRequest {
  if (request.accessId === accessId) return request;
  throw new Refusal(409, 'conflict', `The campaign request ${request.id} is of another access.`);
}
