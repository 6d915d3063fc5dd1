import { sampleAvailabilityChange, tasks, watchAvailability } from '@screen-advertising/core';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { watchedIn, withChanges } from '../lib/crossings.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { mostScreens, spreadSeconds } from '../lib/limits.ts';
import { outputFieldsWithScreen } from '../lib/output-fields.ts';
import { readInput } from '../lib/read-input.ts';
import { withThumbnail } from '../lib/thumbnail.ts';
import { withinTime } from '../lib/within-time.ts';
import { availabilityChange } from '../samples/availability-change.ts';

const task = tasks['screen.availabilityChanged'];

/**
 * Zapier asks for records and runs for those whose id it has not seen. So every poll gives the last
 * crossing of each screen, those that have just happened first, under an id that counts the
 * crossings: a poll whose result gets lost loses nothing, and nothing runs twice.
 */
async function screenAvailabilityChanged(z: ZObject, bundle: Bundle) {
  const client = clientFor(z, bundle);
  const input = readInput(task, bundle.inputData);
  return withinTime(task.title, async (signal) => {
    if (bundle.meta.isLoadingSample) {
      const sample = await sampleAvailabilityChange(client, input, { signal });
      return sample ? [{ id: `${sample.screen_id} sample`, ...sample }] : [];
    }
    const store = watchedIn(z, bundle, input);
    const before = await store.read();
    const options = { signal, seen: before.seen, maxScreens: mostScreens };
    const { changes, readings, seen } = await watchAvailability(client, input, options);
    const crossings = withChanges(before.crossings, changes);
    await store.keep({ since: before.since, seen, crossings });
    const isNew = new Set(changes.map(({ screen_id }) => screen_id));
    const newFirst = readings.toSorted(
      (one, other) => Number(isNew.has(other.screen.id)) - Number(isNew.has(one.screen.id)),
    );
    const known = new Map(Object.entries(crossings));
    return newFirst.flatMap(({ screen, availability }) => {
      const crossing = known.get(screen.id);
      if (!crossing) return [];
      const { change, count, previous_available_sov_pct } = crossing;
      return {
        ...availability,
        id: [screen.id, change, before.since, count].join(' '),
        change,
        share_pct: input.share_pct,
        previous_available_sov_pct,
        screen_id: screen.id,
        screen: withThumbnail(z, screen),
      };
    });
  });
}

export default {
  key: 'screen_availability_changed',
  noun: 'Screen Availability',
  display: { label: task.title, description: task.description },
  operation: {
    type: 'polling',
    inputFields: inputFields(task, {
      extras: {
        change: {
          helpText:
            'Which way the available share has to cross the share. Zapier keeps what it was from one look to the next; when Zapier has lost it, the trigger begins anew and starts no run for what changed in between.',
        },
      },
    }),
    outputFields: [
      { key: 'id', label: 'Change ID', type: 'string', primary: true },
      ...outputFieldsWithScreen(task, []),
    ],
    sample: availabilityChange,
    perform: guarded(screenAvailabilityChanged, { spreadSeconds }),
  },
} satisfies Trigger;
