import {
  compoundOperations,
  findAvailableScreens as find,
} from '@screen-advertising/core/availability';
import { withCurrencyAmounts } from '@screen-advertising/core/forms';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { createRunClient, withDeadline } from '../lib/client.ts';
import { readConnection } from '../lib/connection.ts';
import { createForm, outputFieldsWithScreen, sampleWithScreen } from '../lib/fields.ts';
import { manyRequestsThrottle, maxScreensPerRun, retrySpreadSeconds } from '../lib/limits.ts';
import { computePeriod, periodFormAdditions } from '../lib/period.ts';
import {
  fetchScreenOfRecord,
  leftOutCountField,
  withArea,
  withLeftOutCount,
} from '../lib/screens.ts';

import { emptySearchHint } from '../lib/search.ts';
import { defineStep } from '../lib/steps.ts';

const task = compoundOperations['screen.findAvailable'];

const form = createForm(task, periodFormAdditions);

const step = { label: task.title, scopes: task.scopes, fields: form.fields };

/**
 * A search returns records or an error, nothing in between. So each record says how many screens
 * could not be read, and if there are no records, the search throws the error of those screens.
 */
async function findAvailableScreens(z: ZObject, bundle: Bundle) {
  const client = createRunClient(z, bundle);
  const input = computePeriod(form.read(bundle), step.label, bundle.meta.timezone);
  const maxScreens = maxScreensPerRun(readConnection(bundle.authData));
  const { screens, failures, withoutCoordinates } = await withDeadline(
    client,
    step.label,
    (signal) => find(client, input, { signal, maxScreens }),
  );
  const [first] = failures;
  if (first && screens.length === 0) throw first.error;
  return withLeftOutCount(z, screens, withoutCoordinates).map(({ screen, ...found }) => ({
    ...withCurrencyAmounts(found),
    screen: fetchScreenOfRecord(z, screen),
    unread_screens: failures.length,
    unread_screen_ids: failures.map((failure) => failure.screen.id).join(', '),
  }));
}

export default defineStep(step, {
  key: 'find_available_screens',
  noun: 'Screen',
  description: 'Finds screens with ad time left between two dates.',
  inputFields: [...withArea(step.fields), emptySearchHint(task)],
  outputFields: [
    ...outputFieldsWithScreen(task, ['screen_id', 'from', 'to']),
    { key: 'unread_screens', label: 'Unread Screens', type: 'integer' },
    { key: 'unread_screen_ids', label: 'IDs of Unread Screens', type: 'string' },
    leftOutCountField,
  ],
  sample: {
    ...sampleWithScreen(task),
    unread_screens: 0,
    unread_screen_ids: '',
    screens_without_coordinates: 0,
  },
  throttle: manyRequestsThrottle,
  perform: findAvailableScreens,
  errors: { spreadSeconds: retrySpreadSeconds },
}) satisfies Search;
