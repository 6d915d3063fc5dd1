import { type CampaignRequest, operations } from '@screen-advertising/core';
import type { Bundle, PlainInputField, Trigger, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { guarded } from '../lib/guarded.ts';
import { deadlineMs } from '../lib/limits.ts';
import { dropdownPage } from '../lib/pages.ts';
import type { Step } from '../lib/step.ts';

const operation = operations['campaignRequest.list'];

/** A field that holds a campaign request, picked from this list. */
export const campaignRequestDropdown: Omit<PlainInputField, 'key'> = {
  dynamic: 'campaign_request_list.id.name',
};

const step: Step = { label: 'List of Campaign Requests', scopes: operation.scopes, fields: [] };

async function listCampaignRequests(z: ZObject, bundle: Bundle) {
  const client = clientFor(z, bundle);
  const requests = await dropdownPage(z, bundle, (position) =>
    client.call(operation, position, { deadlineMs }),
  );
  return requests.map(choiceOf);
}

/** The record has no name: what is known of it tells one from another. */
function choiceOf({ id, industry, status }: CampaignRequest) {
  return { id: id ?? '', name: [industry, status, id].filter(Boolean).join(', ') };
}

export default {
  key: 'campaign_request_list',
  noun: 'Campaign Request',
  display: {
    label: step.label,
    description: 'Triggers when a list of campaign requests to choose from is needed.',
    hidden: true,
  },
  operation: {
    type: 'polling',
    perform: guarded(listCampaignRequests, step),
    canPaginate: true,
    sample: { id: 'cr_0001', name: 'retail, rejected, cr_0001' },
    outputFields: [
      { key: 'id', label: 'ID', type: 'string', primary: true },
      { key: 'name', label: 'Name', type: 'string' },
    ],
  },
} satisfies Trigger;
