import { html } from 'hono/html';
import type { Html } from '../view.ts';
import { actionForm, disclosure } from './forms.ts';

interface Erasing {
  /** The relay's ID of an event, or a value. */
  readonly search: string;
  /** Name. Default: all sources. */
  readonly source?: string | undefined;
  /** Such as "every event with this value". */
  readonly what: string;
}

/** Erases what the relay keeps of events, for good. */
export function eraseForm(url: URL, { search, source = '', what }: Erasing): Html {
  return disclosure({
    label: 'Erase',
    of: what,
    content: html`<p>Erases the payload of ${what}, its search values, and what subscribers responded. Pending deliveries end. Nothing can bring them back. Backups, PostgreSQL's write-ahead log and subscribers keep what they have.</p>
${actionForm(url, {
  action: 'events.erase',
  fields: { search, source },
  content: html`<button>Erase for good</button>`,
})}`,
  });
}
