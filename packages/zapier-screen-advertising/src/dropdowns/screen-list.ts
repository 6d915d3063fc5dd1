import { operations, type Screen } from '@screen-advertising/core';
import type { Bundle, PlainInputField, Trigger, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { guarded } from '../lib/guarded.ts';
import { deadlineMs } from '../lib/limits.ts';
import { dropdownPage } from '../lib/pages.ts';
import type { Step } from '../lib/step.ts';

const operation = operations['screen.list'];
const pageSize = 100;

/** A field that holds a screen, picked from this list. */
export const screenDropdown: Omit<PlainInputField, 'key'> = { dynamic: 'screen_list.id.name' };

const step: Step = { label: 'List of Screens', scopes: operation.scopes, fields: [] };

async function listScreens(z: ZObject, bundle: Bundle) {
  const client = clientFor(z, bundle);
  const screens = await dropdownPage(z, bundle, (position) =>
    client.call(operation, { ...position, limit: pageSize }, { deadlineMs }),
  );
  return screens.map(choiceOf);
}

function choiceOf({ id, name, city }: Screen) {
  return { id, name: [name ?? id, city].filter(Boolean).join(', ') };
}

export default {
  key: 'screen_list',
  noun: 'Screen',
  display: {
    label: step.label,
    description: 'Triggers when a list of screens to choose from is needed.',
    hidden: true,
  },
  operation: {
    type: 'polling',
    perform: guarded(listScreens, step),
    canPaginate: true,
    sample: { id: 'scr_berlin_0001', name: 'Central Station, Main Hall, Berlin' },
    outputFields: [
      { key: 'id', label: 'ID', type: 'string', primary: true },
      { key: 'name', label: 'Name', type: 'string' },
    ],
  },
} satisfies Trigger;
