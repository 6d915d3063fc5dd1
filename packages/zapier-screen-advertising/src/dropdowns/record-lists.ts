import { type CampaignRequest, operations, type Page, type Screen } from '@screen-advertising/core';
import { nextCursor, recordId } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { deadlineMs } from '../lib/limits.ts';
import { dropdown } from './dropdown.ts';

const screens = operations['screen.list'];
const pageSize = 100;

export const screenList = dropdown({
  key: 'screen_list',
  noun: 'Screen',
  plural: 'Screens',
  scopes: screens.scopes,
  sample: { id: 'scr_berlin_0001', name: 'Central Station, Main Hall, Berlin' },
  canPaginate: true,
  load: async (z, bundle) => {
    const client = clientFor(z, bundle);
    const loaded = await loadPage(z, bundle, (position) =>
      client.call(screens, { ...position, limit: pageSize }, { deadlineMs }),
    );
    return loaded.map(screenChoice);
  },
});

function screenChoice(screen: Screen) {
  const id = recordId(screen) ?? '';
  const { name, city } = screen;
  return { id, name: [name ?? id, city].filter(Boolean).join(', ') };
}

const campaignRequests = operations['campaignRequest.list'];

export const campaignRequestList = dropdown({
  key: 'campaign_request_list',
  noun: 'Campaign Request',
  plural: 'Campaign Requests',
  scopes: campaignRequests.scopes,
  sample: { id: 'cr_0001', name: 'retail, rejected, cr_0001' },
  canPaginate: true,
  load: async (z, bundle) => {
    const client = clientFor(z, bundle);
    const loaded = await loadPage(z, bundle, (position) =>
      client.call(campaignRequests, position, { deadlineMs }),
    );
    return loaded.map(campaignRequestChoice);
  },
});

/** The record has no name, so the label shows the fields that distinguish it. */
function campaignRequestChoice(request: CampaignRequest) {
  const id = recordId(request) ?? '';
  const { industry, status } = request;
  return { id, name: [industry, status, id].filter(Boolean).join(', ') };
}

/**
 * One page of a dropdown. Zapier counts pages, while the service continues from a cursor.
 * `z.cursor` stores that cursor between pages, and an empty one ends the list.
 */
async function loadPage<Item>(
  z: ZObject,
  bundle: Bundle,
  load: (position: { cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const isFirst = !bundle.meta.page;
  const cursor = isFirst ? undefined : await z.cursor.get();
  if (!isFirst && !cursor) return [];
  const { data, pagination } = await load(cursor ? { cursor } : {});
  await z.cursor.set(nextCursor(pagination) ?? '');
  return data;
}
