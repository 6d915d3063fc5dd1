import * as z from 'zod/mini';
import {
  choiceField,
  dateOrTimeField,
  identifierField,
  knownValueOutput,
  optionalField,
  textField,
  textOutput,
  toIsNotBeforeFrom,
} from './field-types.ts';
import { defineOperation, defineResource } from './operation.ts';

const statuses = {
  rejected: 'Rejected',
  abandoned: 'Abandoned',
  no_inventory: 'No Inventory',
  converted: 'Converted',
};

/** Section 2.7. Of the record, only the status and an industry attribute are known. */
const campaignRequest = z
  .looseObject({
    id: textOutput('Campaign Request ID', 'ID of the campaign request'),
    status: knownValueOutput<keyof typeof statuses>(
      'Status',
      'rejected, abandoned, no_inventory, or converted',
    ),
    industry: textOutput('Industry', 'Industry of the campaign'),
  })
  .check(z.meta({ title: 'Campaign Request' }));

const sample = { id: 'cr_0001', status: 'rejected', industry: 'retail' };

const resource = defineResource(
  'Campaign Request',
  'Campaign Requests',
  'Your own campaign requests.',
);

const listCampaignRequests = defineOperation({
  name: 'campaignRequest.list',
  title: 'List Campaign Requests',
  description: 'Lists your own campaign requests, with optional filters.',
  section: '4.10',
  resource,
  method: 'GET',
  path: '/campaign-requests',
  scopes: ['campaign_requests:read'],
  successStatus: 200,
  responseShape: 'list',
  input: z
    .strictObject({
      status: optionalField(
        choiceField(statuses, {
          title: 'Status',
          description: 'Only campaign requests with this status.',
        }),
        'widens',
      ),
      from: optionalField(
        dateOrTimeField({
          title: 'From',
          description: 'Only campaign requests from this date on, as YYYY-MM-DD.',
          examples: ['2027-03-01'],
        }),
        'widens',
      ),
      to: optionalField(
        dateOrTimeField({
          title: 'To',
          description: 'Only campaign requests up to this date, as YYYY-MM-DD.',
          examples: ['2027-03-31'],
        }),
        'widens',
      ),
      industry: optionalField(
        textField({
          title: 'Industry',
          description: 'Only campaign requests in this industry.',
          examples: ['retail'],
        }),
        'widens',
      ),
      cursor: optionalField(
        textField({
          title: 'Cursor',
          description:
            'Where to continue if the service sends this list in pages: pagination.cursor of the previous page.',
        }),
        'is harmless',
      ),
    })
    .check(toIsNotBeforeFrom),
  output: campaignRequest,
  sample,
});

const getCampaignRequest = defineOperation({
  name: 'campaignRequest.get',
  title: 'Get Campaign Request',
  description: 'Gets one of your campaign requests.',
  section: '4.11',
  resource,
  method: 'GET',
  path: '/campaign-requests/{id}',
  scopes: ['campaign_requests:read'],
  successStatus: 200,
  responseShape: 'record',
  input: z.strictObject({
    id: identifierField({
      title: 'Campaign Request',
      description: 'The ID of the campaign request, from the list or an event.',
      examples: ['cr_0001'],
    }),
  }),
  output: campaignRequest,
  sample,
});

export const campaignRequestOperations = {
  list: listCampaignRequests,
  get: getCampaignRequest,
} as const;
