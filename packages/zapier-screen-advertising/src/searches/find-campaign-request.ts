import { type CampaignRequest, operations } from '@screen-advertising/core';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import {
  asCondition,
  campaignRequestDropdown,
  formOf,
  inputOf,
  outputFields,
} from '../lib/fields.ts';
import { deadlineMs } from '../lib/limits.ts';
import { createdBetween } from '../lib/period.ts';
import { filterHint, searchByIdOrFilters, searchPosition, toSearchPage } from '../lib/search.ts';
import { defineStep } from '../lib/steps.ts';

const list = operations['campaignRequest.list'];
const get = operations['campaignRequest.get'];

const form = formOf(list, {
  omit: ['cursor'],
  more: [{ ...asCondition(get), after: '' }],
  extras: {
    ...createdBetween,
    id: {
      ...campaignRequestDropdown,
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
  const client = clientFor(z, bundle);
  const read = form.read(bundle);
  return searchByIdOrFilters<CampaignRequest>(read, step, {
    byId: () => client.call(get, inputOf(get, read), { deadlineMs }),
    byFilters: async () => {
      const input = { ...inputOf(list, read), ...searchPosition(bundle) };
      return toSearchPage(await client.call(list, input, { deadlineMs }));
    },
  });
}

export default defineStep(step, {
  key: 'find_campaign_request',
  noun: 'Request',
  description: 'Finds a campaign request by its status, time, or industry.',
  inputFields: [...step.fields, filterHint(list)],
  outputFields: outputFields(list, ['id']),
  sample: get.sample,
  canPaginate: true,
  perform: findCampaignRequest,
}) satisfies Search;
