import { type CampaignRequest, operations } from '@screen-advertising/core';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { campaignRequestDropdown } from '../dropdowns/campaign-request-list.ts';
import { clientFor } from '../lib/client.ts';
import { found } from '../lib/found.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { isEmpty, readInput } from '../lib/read-input.ts';
import { type SearchPage, searchPage, searchPosition, wholeResult } from '../lib/search-page.ts';
import { campaignRequest } from '../samples/campaign-request.ts';

const list = operations['campaignRequest.list'];
const get = operations['campaignRequest.get'];

async function findCampaignRequest(
  z: ZObject,
  bundle: Bundle,
): Promise<SearchPage<CampaignRequest>> {
  const client = clientFor(z, bundle);
  if (!isEmpty(bundle.inputData.id)) {
    const input = readInput(get, bundle.inputData);
    return wholeResult(await found(client.call(get, input, { deadlineMs })));
  }
  const input = { ...readInput(list, bundle.inputData), ...searchPosition(bundle) };
  return searchPage(await client.call(list, input, { deadlineMs }));
}

export default {
  key: 'find_campaign_request',
  noun: 'Campaign Request',
  display: {
    label: 'Find Campaign Request',
    description:
      'Finds one of your own campaign requests by its identifier, status, time or industry.',
  },
  operation: {
    inputFields: [
      ...inputFields(get, {
        extras: {
          id: {
            ...campaignRequestDropdown,
            required: false,
            helpText:
              'One campaign request, by its identifier. The other fields are then not used.',
          },
        },
      }),
      ...inputFields(list, { omit: ['cursor'] }),
    ],
    outputFields: outputFields(list, ['id']),
    sample: campaignRequest,
    canPaginate: true,
    perform: guarded(findCampaignRequest),
  },
} satisfies Search;
