import { operations } from '@screen-advertising/core';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { outputFields } from '../lib/output-fields.ts';
import { pollCampaignRequests } from '../lib/poll-campaign-requests.ts';
import { readInput } from '../lib/read-input.ts';
import { campaignRequest } from '../samples/campaign-request.ts';

const list = operations['campaignRequest.list'];

async function newCampaignRequests(z: ZObject, bundle: Bundle) {
  return pollCampaignRequests(z, bundle, readInput(list, bundle.inputData));
}

export default {
  key: 'new_campaign_request',
  noun: 'Campaign Request',
  display: {
    label: 'New Campaign Request',
    description: 'Triggers when a campaign request comes in.',
  },
  operation: {
    type: 'polling',
    inputFields: inputFields(list, { omit: ['status', 'cursor'] }),
    outputFields: outputFields(list, ['id']),
    sample: campaignRequest,
    perform: guarded(newCampaignRequests),
  },
} satisfies Trigger;
