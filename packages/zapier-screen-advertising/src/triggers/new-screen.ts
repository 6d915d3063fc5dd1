import { createHash } from 'node:crypto';
import { type Client, operations, type Screen } from '@screen-advertising/core';
import { withCurrencyAmounts } from '@screen-advertising/core/forms';
import { recordId } from '@screen-advertising/core/platform';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { createRunClient, forEachRecord } from '../lib/client.ts';
import { createForm, inputForEntry, outputFields } from '../lib/fields.ts';
import { runDeadlineMs } from '../lib/limits.ts';
import { loadPollState, newestFirst, type RecordChange } from '../lib/polling.ts';

import {
  findNearbyEntry,
  findScreensNearStepPlace,
  logLeftOutScreens,
  withArea,
  withThumbnail,
} from '../lib/screens.ts';

import { emptySearchHint, readNextSearchPage } from '../lib/search.ts';
import { defineStep } from '../lib/steps.ts';

const list = operations['screen.list'];

const form = createForm(findNearbyEntry, {
  omit: ['sort_by'],
  optional: ['near'],
  isTrigger: true,
});

const step = { label: 'New Screen', scopes: list.scopes, fields: form.fields };

type Read = ReturnType<typeof form.read>;

/** The editor shows no more. */
const maxExamples = 3;

/** Zapier starts no more runs with one poll. */
const maxNewest = 100;

/** Zapier's types know text only, but it compares numbers as well. */
type Identified = Screen & { id: string };

/**
 * The contract does not show the order of the list, so this reads every page: a new screen may be on
 * any. With tens of thousands of screens, all of them are more than Zapier accepts from a poll, so a
 * poll returns only those that the last one did not see.
 */
async function newScreens(z: ZObject, bundle: Bundle): Promise<Identified[]> {
  const client = createRunClient(z, bundle);
  const read = form.read(bundle);
  const shown = (screens: readonly Screen[]) =>
    newestFirst(screens).map((one) => withThumbnail(z, withCurrencyAmounts(one)) as Identified);
  if (bundle.meta.isLoadingSample) {
    return shown(await examples(client, read)).slice(0, maxExamples);
  }
  // For a transfer of all records, which no last poll limits.
  if (bundle.meta.isBulkRead) return shown(await onePage(z, client, bundle, read));
  const state = await loadPollState<0, object>(z, bundle, step, ['screens', read]);
  const seen: Record<string, 0> = {};
  const added: RecordChange<object>[] = [];
  const screens = new Map<string, Identified>();
  const isPopulating = bundle.meta.isPopulatingDedupe;
  await eachScreen(z, client, read, (screen) => {
    const id = recordId(screen) ?? '';
    const key = shortKey(id);
    const isNew = !state.isEmpty && !(key in state.seen) && !(key in seen);
    seen[key] = 0;
    if (isNew) added.push({ subject: id, became: 'new', data: {} });
    if (isPopulating) screens.set(id, { id } as Identified);
    else if (state.isEmpty || isNew || state.recent.has(id)) screens.set(id, screen as Identified);
  });
  const latest = new Set((await state.save(seen, added)).map(({ subject }) => subject));
  if (isPopulating) return [...screens.values()];
  // Without a last poll, Zapier itself knows which of the newest it has seen.
  return state.isEmpty
    ? shown(newestFirst([...screens.values()]).slice(0, maxNewest))
    : shown([...screens].filter(([id]) => latest.has(id)).map(([, screen]) => screen));
}

/** Zapier stores them all, and IDs can be long. Two of 30,000 are alike once in a million times. */
function shortKey(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 8);
}

async function eachScreen(
  z: ZObject,
  client: Client,
  read: Read,
  visit: (screen: Screen) => void,
): Promise<void> {
  const found = await findScreensNearStepPlace(client, read, step.label);
  logLeftOutScreens(z, found?.withoutCoordinates);
  if (found) return found.screens.forEach(visit);
  const filters = inputForEntry(list, read);
  await forEachRecord(
    client,
    step.label,
    (signal) => client.items(list, filters, { signal }),
    visit,
  );
}

async function onePage(
  z: ZObject,
  client: Client,
  bundle: Bundle,
  read: Read,
): Promise<readonly Screen[]> {
  const found = await findScreensNearStepPlace(client, read, step.label);
  if (found) return bundle.meta.page ? [] : found.screens;
  const filters = inputForEntry(list, read);
  return readNextSearchPage(z, bundle, (position) =>
    client.call(
      list,
      { ...filters, ...position, limit: list.largestPage },
      { deadlineMs: runDeadlineMs },
    ),
  );
}

/** The newest of one page, or the first that are near the place. */
async function examples(client: Client, read: Read): Promise<Screen[]> {
  const found = await findScreensNearStepPlace(client, read, step.label, { maxFound: maxExamples });
  if (found) return found.screens;
  const filters = inputForEntry(list, read);
  return (
    await client.call(list, { ...filters, limit: list.largestPage }, { deadlineMs: runDeadlineMs })
  ).data;
}

export default defineStep(step, {
  key: 'new_screen',
  noun: 'Screen',
  description: 'Triggers when a screen can be booked for the first time.',
  type: 'polling',
  canPaginate: true,
  inputFields: [...withArea(step.fields), emptySearchHint(list)],
  outputFields: [
    ...outputFields(findNearbyEntry, ['id']),
    { key: 'thumbnail', label: 'Thumbnail', type: 'file' },
  ],
  sample: withCurrencyAmounts(list.sample),
  perform: newScreens,
}) satisfies Trigger;
