import { type CampaignRequest, operations } from '@screen-advertising/core';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/connection/client.ts';
import { asWritten, createdBetween } from '../lib/fields/dates.ts';
import { campaignRequestDropdown, inputFields } from '../lib/fields/input-fields.ts';
import { outputFields } from '../lib/fields/output-fields.ts';
import { readInput } from '../lib/fields/read-input.ts';
import { deadlineMs } from '../lib/limits.ts';
import {
  filterHint,
  type SearchForm,
  searchByIdOrFilters,
  searchPosition,
  toSearchPage,
} from '../lib/steps/search.ts';
import { defineStep } from '../lib/steps/step.ts';

const list = operations['campaignRequest.list'];
const get = operations['campaignRequest.get'];

const form: SearchForm = {
  label: 'Find Campaign Request',
  scopes: list.scopes,
  identifier: 'id',
  fields: [
    ...inputFields(get, {
      extras: {
        id: {
          ...campaignRequestDropdown,
          required: false,
          helpText: 'One campaign request. The other fields are then ignored.',
        },
      },
    }),
    ...inputFields(list, { omit: ['cursor'], extras: createdBetween }),
  ],
};

async function findCampaignRequest(z: ZObject, bundle: Bundle) {
  const client = clientFor(z, bundle);
  return searchByIdOrFilters<CampaignRequest>(bundle, form, {
    byId: () => client.call(get, readInput(get, bundle.inputData), { deadlineMs }),
    byFilters: async () => {
      const input = {
        ...readInput(list, asWritten(bundle), [], bundle.meta.timezone),
        ...searchPosition(bundle),
      };
      return toSearchPage(await client.call(list, input, { deadlineMs }));
    },
  });
}

export default defineStep(form, {
  key: 'find_campaign_request',
  noun: 'Request',
  description: 'Finds a campaign request by its status, time, or industry.',
  inputFields: [...form.fields, filterHint(list)],
  outputFields: outputFields(list, ['id']),
  sample: get.sample,
  canPaginate: true,
  perform: findCampaignRequest,
}) satisfies Search;
