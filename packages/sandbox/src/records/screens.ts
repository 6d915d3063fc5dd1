import { type SandboxContext, timestamp } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import { makeScreen } from '../seed/screens.ts';
import type { ScreenFields, StoredScreen } from '../state/records.ts';
import { given } from './given.ts';

/** Changes the screen of this id, or adds one like those of the seed. */
export function addScreen(context: SandboxContext, fields: ScreenFields): StoredScreen {
  const { store } = context;
  const known = fields.id === undefined ? undefined : store.screens.get(fields.id);
  const screen = { ...(known ?? newScreen(context)), ...given(fields) };
  store.screens.set(screen.id, screen);
  return screen;
}

export function removeScreen({ store }: SandboxContext, id: string): void {
  if (store.screens.delete(id)) return;
  throw new Refusal(404, 'not-found', `There is no screen ${id}.`);
}

function newScreen(context: SandboxContext): StoredScreen {
  const position = context.store.nextNumber('screenPosition');
  return {
    ...makeScreen(context.store.random, position),
    id: `scr_added_${String(position).padStart(4, '0')}`,
    created_at: timestamp(context),
    is_active: true,
    bookable: true,
  };
}
