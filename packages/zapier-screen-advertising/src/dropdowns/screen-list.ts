import { operations, type Screen } from '@screen-advertising/core';
import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { deadlineMs } from '../lib/limits.ts';
import { dropdownPage } from '../lib/pages.ts';
import { dropdown } from './dropdown.ts';

const operation = operations['screen.list'];
const pageSize = 100;

/** A field for a screen, picked from this list. */
export const screenDropdown: Omit<PlainInputField, 'key'> = { dynamic: 'screen_list.id.name' };

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

export default dropdown({
  key: 'screen_list',
  noun: 'Screen',
  plural: 'Screens',
  scopes: operation.scopes,
  sample: { id: 'scr_berlin_0001', name: 'Central Station, Main Hall, Berlin' },
  canPaginate: true,
  load: listScreens,
});
