import { type Client, operations, type Screen } from '@screen-advertising/core';
import { recordId } from '@screen-advertising/core/platform';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { withAmounts } from '../lib/amounts.ts';
import { withArea } from '../lib/area.ts';
import { clientFor } from '../lib/client.ts';
import { collect } from '../lib/deadline.ts';
import { inputFields } from '../lib/input-fields.ts';
import { deadlineMs } from '../lib/limits.ts';
import { logLeftOut, nearby, screensNearby } from '../lib/nearby.ts';
import { outputFields } from '../lib/output-fields.ts';
import { readInput } from '../lib/read-input.ts';
import { defineStep } from '../lib/step.ts';
import { withThumbnail } from '../lib/thumbnail.ts';

const list = operations['screen.list'];

const step = {
  label: 'New Screen',
  scopes: list.scopes,
  fields: inputFields(nearby, {
    omit: ['sort_by'],
    extras: { near: { required: false } },
  }),
};

/**
 * The contract does not show the order of the list, so this reads every page: a new screen may be
 * on any.
 */
async function newScreens(z: ZObject, bundle: Bundle) {
  const client = clientFor(z, bundle);
  const found = await screensNearby(client, bundle, step.label);
  logLeftOut(z, found?.withoutCoordinates);
  const screens = found?.screens ?? (await listed(client, bundle));
  const unique = new Map(screens.map((one) => [recordId(one), one]));
  return [...unique.values()].map((one) => withThumbnail(z, withAmounts(one)));
}

/** All screens, or a few as examples. */
async function listed(client: Client, { inputData, meta }: Bundle): Promise<Screen[]> {
  const filters = readInput(list, inputData);
  if (!meta.isLoadingSample) {
    return collect(step.label, (signal) => client.items(list, filters, { signal }));
  }
  return (await client.call(list, { ...filters, limit: 3 }, { deadlineMs })).data;
}

export default defineStep(step, {
  key: 'new_screen',
  noun: 'Screen',
  description: 'Triggers when a screen can be booked for the first time.',
  type: 'polling',
  inputFields: withArea(step.fields),
  outputFields: [
    ...outputFields(nearby, ['id']),
    { key: 'thumbnail', label: 'Thumbnail', type: 'file' },
  ],
  sample: withAmounts(list.sample),
  perform: newScreens,
}) satisfies Trigger;
