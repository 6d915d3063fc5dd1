import { operations } from '@screen-advertising/core';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { exampleCampaignRequest, withDiscoveredFields } from '../lib/discovered-fields.ts';
import { withZapierErrors } from '../lib/errors.ts';
import { inputFields } from '../lib/input-fields.ts';
import { outputFields } from '../lib/output-fields.ts';
import { pollCampaignRequests } from '../lib/poll-campaign-requests.ts';
import { readInput } from '../lib/read-input.ts';
import type { Step } from '../lib/step.ts';
import { asWritten, createdBetween } from '../lib/written-dates.ts';

const list = operations['campaignRequest.list'];

const step: Step = {
  label: 'New Campaign Request',
  scopes: list.scopes,
  fields: inputFields(list, { omit: ['status', 'cursor'], extras: createdBetween }),
};

async function newCampaignRequests(z: ZObject, bundle: Bundle) {
  return pollCampaignRequests(z, bundle, step, readInput(list, asWritten(bundle)));
}

export default {
  key: 'new_campaign_request',
  noun: 'Campaign Request',
  display: {
    label: step.label,
    description:
      'Triggers when a new campaign request appears. Checks every few minutes; with a relay, Campaign Request Created is instant.',
  },
  operation: {
    type: 'polling',
    inputFields: step.fields,
    outputFields: withDiscoveredFields(outputFields(list, ['id']), exampleCampaignRequest),
    sample: list.sample,
    perform: withZapierErrors(newCampaignRequests, step),
  },
} satisfies Trigger;
