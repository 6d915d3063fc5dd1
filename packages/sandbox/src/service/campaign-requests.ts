import { ProblemResponseError } from '../http/problem-response-error.ts';
import type { SandboxContext } from '../state/context.ts';
import { momentFormats, parseMomentRange } from '../state/sandbox-clock.ts';
import type { StoredCampaignRequest } from '../state/stored-records.ts';
import { invalidParameter, pageOfItems, type Routes, recordResponse } from './route.ts';

const pageSize = 50;

export const campaignRequestRoutes = {
  'campaignRequest.list'({ context, access, input }) {
    const from = readBound(context, 'from', input.from)?.first ?? Number.NEGATIVE_INFINITY;
    const to = readBound(context, 'to', input.to)?.last ?? Number.POSITIVE_INFINITY;
    const matching = [...context.store.campaignRequests.values()].filter((request) => {
      const createdAt = Date.parse(request.created_at);
      return (
        request.accessId === access.id &&
        (input.status === undefined || request.status === input.status) &&
        (input.industry === undefined ||
          request.industry.toLowerCase() === input.industry.toLowerCase()) &&
        createdAt >= from &&
        createdAt <= to
      );
    });
    return Response.json(listBody(context, matching, input.cursor));
  },
  'campaignRequest.get'({ context, access, input }) {
    const request = context.store.campaignRequests.get(input.id);
    if (request?.accessId !== access.id) {
      throw new ProblemResponseError('not-found', `There is no campaign request ${input.id}.`, {
        status: Number(context.variants.unknownCoupon),
      });
    }
    return recordResponse(context, 200, campaignRequestRecord(request));
  },
} satisfies Partial<Routes>;

function campaignRequestRecord({
  accessId: _accessId,
  position: _position,
  ...record
}: StoredCampaignRequest): Record<string, unknown> {
  return record;
}

function listBody(
  context: SandboxContext,
  matching: StoredCampaignRequest[],
  cursor: string | undefined,
): unknown {
  const variant = context.variants.campaignRequestList;
  if (variant === 'bare') return matching.map(campaignRequestRecord);
  if (variant === 'data') return { data: matching.map(campaignRequestRecord) };
  const { items, pagination } = pageOfItems(context, matching, { cursor, limit: pageSize });
  return { data: items.map(campaignRequestRecord), pagination };
}

function readBound({ variants }: SandboxContext, name: string, text: string | undefined) {
  if (text === undefined) return undefined;
  const moment = parseMomentRange(text);
  if (!moment) throw invalidParameter(variants, `${name} must be ${momentFormats}, not "${text}".`);
  return moment;
}
