import { type CampaignRequest, operations } from '@screen-advertising/core';
import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { deadlineMs } from '../lib/limits.ts';
import { dropdownPage } from '../lib/pages.ts';
import { dropdown } from './dropdown.ts';

const operation = operations['campaignRequest.list'];

/** A field for a campaign request, picked from this list. */
export const campaignRequestDropdown: Omit<PlainInputField, 'key'> = {
  dynamic: 'campaign_request_list.id.name',
};

async function listCampaignRequests(z: ZObject, bundle: Bundle) {
  const client = clientFor(z, bundle);
  const requests = await dropdownPage(z, bundle, (position) =>
    client.call(operation, position, { deadlineMs }),
  );
  return requests.map(choiceOf);
}

/** The record has no name, so the label shows the fields that distinguish it. */
function choiceOf({ id, industry, status }: CampaignRequest) {
  return { id: id ?? '', name: [industry, status, id].filter(Boolean).join(', ') };
}

export default dropdown({
  key: 'campaign_request_list',
  noun: 'Campaign Request',
  plural: 'Campaign Requests',
  scopes: operation.scopes,
  sample: { id: 'cr_0001', name: 'retail, rejected, cr_0001' },
  canPaginate: true,
  load: listCampaignRequests,
});
