import {
  type AvailabilityChange,
  compoundOperations,
  sampleAvailabilityChange,
  watchAvailability,
} from '@screen-advertising/core/availability';
import { withCurrencyAmounts } from '@screen-advertising/core/forms';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { createRunClient, withDeadline } from '../lib/client.ts';
import { readConnection } from '../lib/connection.ts';
import { createForm, outputFieldsWithScreen, sampleWithScreen } from '../lib/fields.ts';
import { maxScreensPerRun, retrySpreadSeconds } from '../lib/limits.ts';
import { computePeriod, periodFormAdditions } from '../lib/period.ts';
import { loadPollState } from '../lib/polling.ts';
import { fetchScreenOfRecord, logLeftOutScreens, withArea } from '../lib/screens.ts';

import { emptySearchHint } from '../lib/search.ts';
import { defineStep } from '../lib/steps.ts';

const task = compoundOperations['screen.availabilityChanged'];

const form = createForm(task, {
  ...periodFormAdditions,
  isTrigger: true,
  extras: {
    change: {
      helpText:
        'The direction in which availability crosses the threshold. If Zapier loses the last poll, changes since then do not trigger the Zap.',
    },
  },
});

const step = { label: task.title, scopes: task.scopes, fields: form.fields };

async function screenAvailabilityChanged(z: ZObject, bundle: Bundle) {
  const client = createRunClient(z, bundle);
  const read = form.read(bundle);
  const input = computePeriod(read, step.label, bundle.meta.timezone);
  const maxScreens = maxScreensPerRun(readConnection(bundle.authData));
  return withDeadline(client, step.label, async (signal) => {
    if (bundle.meta.isLoadingSample) {
      const sample = await sampleAvailabilityChange(client, input, { signal });
      return sample ? [recordOf(z, `${sample.screen_id} sample`, withPrevious(sample))] : [];
    }
    // A period that moves with the days stays the same one.
    const { next_days: days } = read;
    const watched = days === undefined ? input : { ...input, from: `${days} days`, to: '' };
    const state = await loadPollState<number, AvailabilityChange>(z, bundle, step, [
      'availability',
      watched,
    ]);
    const options = { signal, seen: state.seen, maxScreens };
    const { changes, seen, withoutCoordinates } = await watchAvailability(client, input, options);
    logLeftOutScreens(z, withoutCoordinates);
    const found = changes.map((data) => ({
      subject: String(data.screen_id),
      became: data.change ?? '',
      data,
    }));
    const latest = await state.save(seen, found);
    return latest.map(({ id, data }) => recordOf(z, id, data));
  });
}

/** Only two polls show a change, so an example has any share on the other side of the threshold. */
function withPrevious(sample: AvailabilityChange): AvailabilityChange {
  const { change, share_pct } = sample;
  const share = Number(share_pct);
  const previous_available_sov_pct = change === 'rises_above' ? share / 2 : (share + 100) / 2;
  return { ...sample, previous_available_sov_pct };
}

/** Reports the numbers at the moment of the change, whatever the screen has by now. */
function recordOf(z: ZObject, id: string, { screen, ...change }: AvailabilityChange) {
  return { ...withCurrencyAmounts(change), id, screen: fetchScreenOfRecord(z, screen) };
}

export default defineStep(step, {
  key: 'screen_availability_changed',
  noun: 'Availability',
  description: 'Triggers when the ad time left on a screen crosses your threshold.',
  type: 'polling',
  inputFields: [...withArea(step.fields), emptySearchHint(task)],
  outputFields: [
    { key: 'id', label: 'Change ID', type: 'string', primary: true },
    ...outputFieldsWithScreen(task, []),
  ],
  sample: {
    id: 'scr_berlin_0001 rises_above 2027-02-01T09:00:00.000Z 1',
    ...sampleWithScreen(task),
  },
  perform: screenAvailabilityChanged,
  errors: { spreadSeconds: retrySpreadSeconds },
}) satisfies Trigger;
