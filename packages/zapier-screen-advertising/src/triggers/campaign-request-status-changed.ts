import { operations } from '@screen-advertising/core';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { outputFields } from '../lib/output-fields.ts';
import { pollCampaignRequests } from '../lib/poll-campaign-requests.ts';
import { campaignRequest } from '../samples/campaign-request.ts';

const list = operations['campaignRequest.list'];

async function changedCampaignRequests(z: ZObject, bundle: Bundle) {
  const requests = await pollCampaignRequests(z, bundle, ({ id, status }) => `${id} ${status}`);
  return requests.filter(({ status }) => Boolean(status));
}

export default {
  key: 'campaign_request_status_changed',
  noun: 'Campaign Request',
  display: {
    label: 'Campaign Request Status Changed',
    description: 'Triggers when a campaign request gets another status, such as rejected.',
  },
  operation: {
    type: 'polling',
    inputFields: inputFields(list, {
      omit: ['cursor'],
      extras: {
        status: { helpText: 'Only changes to this status. Without it changes to any status.' },
      },
    }),
    // A record is new again when its status is: both fields tell records apart.
    outputFields: outputFields(list, ['id', 'status']),
    sample: campaignRequest,
    perform: guarded(changedCampaignRequests),
  },
} satisfies Trigger;
