import {
  type AvailabilityChange,
  sampleAvailabilityChange,
  tasks,
  watchAvailability,
} from '@screen-advertising/core/availability';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { screenValueDropdowns } from '../dropdowns/screen-values.ts';
import { sampleWithScreen, withAmounts } from '../lib/amounts.ts';
import { clientFor } from '../lib/client.ts';
import { exampleOfScreen } from '../lib/example-records.ts';
import { withFoundFields } from '../lib/found-fields.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { mostScreens, spreadSeconds } from '../lib/limits.ts';
import { memoryOf } from '../lib/memory.ts';
import { outputFieldsWithScreen } from '../lib/output-fields.ts';
import { readInput } from '../lib/read-input.ts';
import type { Step } from '../lib/step.ts';
import { withThumbnail } from '../lib/thumbnail.ts';
import { withinTime } from '../lib/within-time.ts';

const task = tasks['screen.availabilityChanged'];

const step: Step = {
  label: task.title,
  scopes: task.scopes,
  fields: inputFields(task, {
    extras: {
      ...screenValueDropdowns,
      change: {
        helpText:
          'The direction in which availability crosses the threshold. If Zapier loses the last poll, changes since then do not trigger the Zap.',
      },
    },
  }),
};

async function screenAvailabilityChanged(z: ZObject, bundle: Bundle) {
  const client = clientFor(z, bundle);
  const input = readInput(task, bundle.inputData);
  return withinTime(step.label, async (signal) => {
    if (bundle.meta.isLoadingSample) {
      const sample = await sampleAvailabilityChange(client, input, { signal });
      return sample ? [recordOf(z, `${sample.screen_id} sample`, sample)] : [];
    }
    const memory = await memoryOf<number, AvailabilityChange>(z, bundle, ['availability', input]);
    const options = { signal, seen: memory.seen, maxScreens: mostScreens };
    const { changes, seen } = await watchAvailability(client, input, options);
    const found = changes.map((data) => ({
      subject: data.screen_id,
      became: data.change ?? '',
      data,
    }));
    const latest = await memory.keep(seen, found);
    return latest.map(({ id, data }) => recordOf(z, id, data));
  });
}

/** Reports the numbers at the moment of the change, whatever the screen has by now. */
function recordOf(z: ZObject, id: string, { screen, ...change }: AvailabilityChange) {
  return { ...withAmounts(change), id, screen: withThumbnail(z, withAmounts(screen)) };
}

export default {
  key: 'screen_availability_changed',
  noun: 'Screen Availability',
  display: { label: step.label, description: task.description },
  operation: {
    type: 'polling',
    inputFields: step.fields,
    outputFields: withFoundFields(
      [
        { key: 'id', label: 'Change ID', type: 'string', primary: true },
        ...outputFieldsWithScreen(task, []),
      ],
      exampleOfScreen,
    ),
    sample: {
      id: 'scr_berlin_0001 rises_above 2027-02-01T09:00:00.000Z 1',
      ...sampleWithScreen(task),
    },
    perform: guarded(screenAvailabilityChanged, step, { spreadSeconds }),
  },
} satisfies Trigger;
