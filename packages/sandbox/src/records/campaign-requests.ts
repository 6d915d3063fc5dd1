import { type SandboxContext, timestamp } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { StoredCampaignRequest } from '../state/records.ts';
import { textOr } from './text-or.ts';

type Data = Readonly<Record<string, unknown>> & { readonly accessId: string };

/** Adds a campaign request, or changes the one with the same id. */
export function addCampaignRequest(context: SandboxContext, data: Data): StoredCampaignRequest {
  const { store } = context;
  const id = textOr(data.id, '') || store.nextId('cr');
  const known = store.campaignRequests.get(id);
  if (known && known.accessId !== data.accessId) {
    throw new Refusal(409, 'conflict', `The campaign request ${id} is of another access.`);
  }
  const now = timestamp(context);
  const request: StoredCampaignRequest = {
    id,
    accessId: data.accessId,
    status: textOr(data.status, known?.status ?? '') || null,
    industry: textOr(data.industry, known?.industry ?? 'retail'),
    email: textOr(data.email, known?.email ?? 'lead@example.com'),
    created_at: textOr(data.created_at, known?.created_at ?? now),
    updated_at: now,
    position: known?.position ?? store.nextNumber('campaignRequestPosition'),
  };
  store.campaignRequests.set(id, request);
  return request;
}
