import { html } from 'hono/html';
import type { RelayContext } from '../../../log/context.ts';
import type { Html } from '../view.ts';
import { select } from './forms.ts';

const maxSources = 500;

export function queryOf(url: URL, name: string): string | undefined {
  return url.searchParams.get(name)?.trim() || undefined;
}

/** Filter fields. They are kept in the URL, so that a view can be bookmarked. */
export function filterForm(url: URL, fields: Html): Html {
  return html`<form method="get" action="${url.pathname}" class="fields">
${fields}
<button>Show</button>
</form>`;
}

/** Of events, by when they arrived, in UTC like all times of the page. */
export interface Period {
  /** Milliseconds since 1970: at or after `from`, and before `to`. Default: all. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export function periodFields(url: URL): Html {
  return html`${momentField(url, 'from', 'Arrived from (UTC)')}
${momentField(url, 'to', 'Arrived before (UTC)')}`;
}

function momentField(url: URL, name: string, label: string): Html {
  return html`<div><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="datetime-local" value="${queryOf(url, name) ?? ''}"></div>`;
}

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;

/** One that cannot be read selects no event, so that no typo in a link widens what it shows. */
export function chosenPeriod(url: URL): Period {
  const [from, to] = ['from', 'to'].map((name) => {
    const text = queryOf(url, name);
    if (text === undefined) return undefined;
    return momentPattern.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  });
  return Number.isNaN(from) || Number.isNaN(to) ? { to: 0 } : { from, to };
}

/** Finds events by either ID and by any whole value. */
export function searchField(value = ''): Html {
  return html`<div><label for="search">Search events</label>
<input id="search" name="search" type="search" value="${value}" placeholder="email, code, or ID" autocomplete="off" maxlength="500"></div>`;
}

export async function sourceNames({ db }: RelayContext): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('source')
    .select('name')
    .orderBy('number')
    .limit(maxSources)
    .execute();
  return rows.map(({ name }) => name);
}

/** The number of the chosen source; 0, which none has, for an unknown name. */
export async function chosenSource({ db }: RelayContext, url: URL): Promise<number | undefined> {
  const name = queryOf(url, 'source');
  if (name === undefined) return undefined;
  const row = await db
    .selectFrom('source')
    .select('number')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.number ?? 0;
}

/** Hidden when there is only one option. */
export async function sourceSelect(context: RelayContext, url: URL): Promise<Html> {
  const names = await sourceNames(context);
  if (names.length < 2) return html``;
  return select({
    name: 'source',
    label: 'Source',
    options: [['', 'All'], ...names.map((name) => [name, name] as const)],
    chosen: queryOf(url, 'source'),
  });
}
