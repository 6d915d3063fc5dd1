import { type CampaignRequest, operations, ScreenAdvertisingError } from '@screen-advertising/core';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { clientFor } from './client.ts';
import { deadlineMs } from './limits.ts';
import type { Step } from './step.ts';
import { collect } from './within-time.ts';

const list = operations['campaignRequest.list'];

export type Identified = CampaignRequest & { id: string };

/**
 * The campaign requests that a poll sees, newest first where the service tells their time. Which
 * order the service sends them in is not known, so every page is read: one that is left out might
 * hold a new one. For an example one page is enough.
 */
export async function pollCampaignRequests(
  z: ZObject,
  bundle: Bundle,
  step: Step,
  filters: Record<string, unknown>,
): Promise<Identified[]> {
  const client = clientFor(z, bundle);
  const requests = bundle.meta.isLoadingSample
    ? (await client.call(list, filters, { deadlineMs })).data
    : await collect(step.label, (signal) => client.items(list, filters, { signal }));
  return newestFirst(unique(requests.map(identified)));
}

function identified(request: CampaignRequest): Identified {
  const { id } = request;
  if (id) return { ...request, id };
  throw new ScreenAdvertisingError(
    'unexpected_response',
    'The service sent a campaign request without an ID, so new ones cannot be detected. Contact the Screen Advertising team.',
  );
}

/** Zapier refuses a poll that names one record twice, as pages that shift meanwhile may. */
function unique(requests: Identified[]): Identified[] {
  return [...new Map(requests.map((request) => [request.id, request])).values()];
}

/** Among those of the same moment the order of the service tells, turned round where it is the other. */
function newestFirst(requests: Identified[]): Identified[] {
  const [first, last] = [requests[0], requests.at(-1)];
  const isOldestFirst = first && last && timeOf(first) < timeOf(last);
  const ordered = isOldestFirst ? requests.toReversed() : requests;
  return ordered.toSorted((a, b) => timeOf(b) - timeOf(a));
}

function timeOf({ created_at }: CampaignRequest): number {
  const time = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}
