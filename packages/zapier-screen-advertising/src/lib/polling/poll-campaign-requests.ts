import {
  type CampaignRequest,
  type CampaignRequestListParams,
  operations,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import { recordId } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { clientFor } from '../connection/client.ts';
import { collect } from '../connection/deadline.ts';
import type { Step } from '../errors/error-message.ts';
import { deadlineMs } from '../limits.ts';
import { newestFirst } from './newest-first.ts';

const list = operations['campaignRequest.list'];

/** Zapier's types know text only, but it compares numbers as well. */
export type Identified = CampaignRequest & { id: string };

/**
 * The campaign requests that a poll sees, newest first if the service sends their time. The order
 * in which the service sends them is unknown, so this reads every page: a skipped one might hold a
 * new request. For an example, one page is enough.
 */
export async function pollCampaignRequests(
  z: ZObject,
  bundle: Bundle,
  step: Step,
  filters: CampaignRequestListParams,
): Promise<Identified[]> {
  const client = clientFor(z, bundle);
  const requests = bundle.meta.isLoadingSample
    ? (await client.call(list, filters, { deadlineMs })).data
    : await collect(client, step.label, (signal) => client.items(list, filters, { signal }));
  return newestFirst(unique(requests)) as Identified[];
}

/** The ID as text, whether the service sends text or a number. Throws ScreenAdvertisingError. */
export function idOf(request: CampaignRequest): string {
  const id = recordId(request);
  if (id !== undefined) return id;
  throw new ScreenAdvertisingError(
    'unexpected_response',
    'The service sent a campaign request without an ID, so new ones cannot be detected',
    { remedy: 'Contact the Screen Advertising team.' },
  );
}

/** Zapier refuses a poll that contains one record twice, as pages that shift meanwhile may. */
function unique(requests: CampaignRequest[]): CampaignRequest[] {
  return [...new Map(requests.map((request) => [idOf(request), request])).values()];
}
