import { type CampaignRequest, operations } from '@screen-advertising/core';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { createRunClient } from '../lib/client.ts';
import {
  campaignRequestDropdownSettings,
  createForm,
  inputForEntry,
  outputFields,
  recordIdAsCondition,
} from '../lib/fields.ts';
import { runDeadlineMs } from '../lib/limits.ts';
import { createdPeriodHelp } from '../lib/period.ts';
import {
  emptySearchHint,
  searchByIdOrFilters,
  searchPosition,
  toSearchPage,
} from '../lib/search.ts';
import { defineStep } from '../lib/steps.ts';

const list = operations['campaignRequest.list'];
const get = operations['campaignRequest.get'];

const form = createForm(list, {
  omit: ['cursor'],
  more: [{ ...recordIdAsCondition(get), after: '' }],
  extras: {
    ...createdPeriodHelp,
    id: {
      ...campaignRequestDropdownSettings,
      helpText: 'One campaign request. The other fields are then ignored.',
    },
  },
});

const step = {
  label: 'Find Campaign Request',
  scopes: list.scopes,
  identifier: 'id',
  fields: form.fields,
  form,
};

async function findCampaignRequest(z: ZObject, bundle: Bundle) {
  const client = createRunClient(z, bundle);
  const read = form.read(bundle);
  return searchByIdOrFilters<CampaignRequest>(read, step, {
    byId: () => client.call(get, inputForEntry(get, read), { deadlineMs: runDeadlineMs }),
    byFilters: async () => {
      const input = { ...inputForEntry(list, read), ...searchPosition(bundle) };
      return toSearchPage(await client.call(list, input, { deadlineMs: runDeadlineMs }));
    },
  });
}

export default defineStep(step, {
  key: 'find_campaign_request',
  noun: 'Request',
  description: 'Finds a campaign request by its status, time, or industry.',
  inputFields: [...step.fields, emptySearchHint(list)],
  outputFields: outputFields(list, ['id']),
  sample: get.sample,
  canPaginate: true,
  perform: findCampaignRequest,
}) satisfies Search;
