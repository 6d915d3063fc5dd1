import { operations } from '@screen-advertising/core';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { createForm, outputFields } from '../lib/fields.ts';
import { createdPeriodHelp } from '../lib/period.ts';
import { pollCampaignRequests } from '../lib/polling.ts';
import { emptySearchHint } from '../lib/search.ts';
import { defineStep } from '../lib/steps.ts';

const list = operations['campaignRequest.list'];

const form = createForm(list, {
  omit: ['status', 'cursor'],
  extras: createdPeriodHelp,
  isTrigger: true,
});

const step = { label: 'New Campaign Request', scopes: list.scopes, fields: form.fields };

async function newCampaignRequests(z: ZObject, bundle: Bundle): Promise<{ id: string }[]> {
  const requests = await pollCampaignRequests(z, bundle, step, form.read(bundle));
  return bundle.meta.isPopulatingDedupe ? requests.map(({ id }) => ({ id })) : requests;
}

export default defineStep(step, {
  key: 'new_campaign_request',
  noun: 'Request',
  description: 'Triggers when a new campaign request appears in your list.',
  type: 'polling',
  inputFields: [...step.fields, emptySearchHint(list)],
  outputFields: outputFields(list, ['id']),
  sample: list.sample,
  perform: newCampaignRequests,
}) satisfies Trigger;
