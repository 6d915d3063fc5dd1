import { type CampaignRequest, operations } from '@screen-advertising/core';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { campaignRequestDropdown } from '../dropdowns/campaign-request-list.ts';
import { askedFor, type SearchForm } from '../lib/asked-for.ts';
import { clientFor } from '../lib/client.ts';
import { asWritten, createdBetween } from '../lib/created-between.ts';
import { exampleCampaignRequest } from '../lib/example-records.ts';
import { found } from '../lib/found.ts';
import { withFoundFields } from '../lib/found-fields.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { type SearchPage, searchPage, searchPosition, wholeResult } from '../lib/pages.ts';
import { readInput } from '../lib/read-input.ts';

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
          helpText: 'A single campaign request, by its ID. The other fields are then ignored.',
        },
      },
    }),
    ...inputFields(list, { omit: ['cursor'], extras: createdBetween }),
  ],
};

async function findCampaignRequest(
  z: ZObject,
  bundle: Bundle,
): Promise<SearchPage<CampaignRequest>> {
  const client = clientFor(z, bundle);
  const asked = askedFor(bundle, form);
  if (asked === 'none') return wholeResult([]);
  if (asked === 'one') {
    const input = readInput(get, bundle.inputData);
    return wholeResult(await found(client.call(get, input, { deadlineMs })));
  }
  const input = { ...readInput(list, asWritten(bundle)), ...searchPosition(bundle) };
  return searchPage(await client.call(list, input, { deadlineMs }));
}

export default {
  key: 'find_campaign_request',
  noun: 'Campaign Request',
  display: {
    label: form.label,
    description: 'Finds one of your campaign requests by its ID, status, time, or industry.',
  },
  operation: {
    inputFields: form.fields,
    outputFields: withFoundFields(outputFields(list, ['id']), exampleCampaignRequest),
    sample: get.sample,
    canPaginate: true,
    perform: guarded(findCampaignRequest, form),
  },
} satisfies Search;
