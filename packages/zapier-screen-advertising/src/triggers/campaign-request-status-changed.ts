import { operations } from '@screen-advertising/core';
import { formFields } from '@screen-advertising/core/forms';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { createForm, outputFields } from '../lib/fields.ts';
import { createdPeriodHelp } from '../lib/period.ts';
import {
  type CampaignRequestWithId,
  campaignRequestId,
  loadPollState,
  pollCampaignRequests,
  type RecordChange,
} from '../lib/polling.ts';

import { emptySearchHint } from '../lib/search.ts';
import { defineStep } from '../lib/steps.ts';

const list = operations['campaignRequest.list'];

/** The statuses in the specification, all of them outcomes: a request starts without one. */
const outcomes = formFields(list).find(({ name }) => name === 'status')?.choices ?? [];

type StatusChange = CampaignRequestWithId & { previous_status: string | null };

const form = createForm(list, {
  omit: ['cursor'],
  extras: {
    ...createdPeriodHelp,
    status: { helpText: 'Only changes to this status. Default: any status.' },
  },
  isTrigger: true,
});

const step = {
  label: 'Campaign Request Status Changed',
  scopes: list.scopes,
  fields: form.fields,
};

/**
 * Watches every request, whatever its status: a filter of the service would hide its earlier
 * status. So Zaps that wait for different statuses share one state, and each picks its own.
 */
async function changedCampaignRequests(z: ZObject, bundle: Bundle) {
  const { status: wanted, ...filters } = form.read(bundle);
  const isWanted = (status: string): boolean => status !== '' && (!wanted || status === wanted);
  if (bundle.meta.isLoadingSample) {
    const examples = await pollCampaignRequests(z, bundle, step, { ...filters, status: wanted });
    return examples
      .filter((request) => isWanted(statusOf(request)))
      .map((request) => ({
        change_id: `${campaignRequestId(request)} sample`,
        ...request,
        // Only two polls show a change, so an example has any other status.
        previous_status: outcomes.find(({ value }) => value !== request.status)?.value ?? null,
      }));
  }
  const requests = await pollCampaignRequests(z, bundle, step, filters);
  const state = await loadPollState<string, StatusChange>(z, bundle, step, ['status', filters]);
  const found = state.isEmpty ? [] : changesSince(state.seen, requests);
  const current = Object.fromEntries(
    requests.map((request) => [campaignRequestId(request), statusOf(request)]),
  );
  const latest = await state.save(current, found);
  return latest
    .filter(({ became }) => isWanted(became))
    .map(({ id, data }) => ({ change_id: id, ...data }));
}

/**
 * A request seen for the first time is only new, unless it has an outcome: then it was created and
 * decided between two polls.
 */
function changesSince(
  seen: Readonly<Record<string, string>>,
  requests: readonly CampaignRequestWithId[],
): RecordChange<StatusChange>[] {
  const known = new Map(Object.entries(seen));
  return requests.flatMap((request) => {
    const status = statusOf(request);
    const before = known.get(campaignRequestId(request));
    const isChange =
      before === undefined ? outcomes.some(({ value }) => value === status) : status !== before;
    if (!isChange) return [];
    const data = { ...request, previous_status: before || null };
    return [{ subject: campaignRequestId(request), became: status, data }];
  });
}

function statusOf({ status }: CampaignRequestWithId): string {
  return status ?? '';
}

export default defineStep(step, {
  key: 'campaign_request_status_changed',
  noun: 'Request',
  description: 'Triggers when a campaign request changes its status.',
  type: 'polling',
  inputFields: [...step.fields, emptySearchHint(list)],
  // All of them static: Zapier finds `primary` nowhere else, and would go by `id`.
  outputFields: [
    { key: 'change_id', label: 'Change ID', type: 'string', primary: true },
    ...outputFields(list, []),
    { key: 'previous_status', label: 'Previous Status', type: 'string' },
  ],
  sample: {
    change_id: 'cr_0001 rejected 2027-03-01T09:00:00.000Z 1',
    ...list.sample,
    previous_status: 'no_inventory',
  },
  perform: changedCampaignRequests,
}) satisfies Trigger;
