import { html } from 'hono/html';
import type { RelayContext } from '../../context.ts';
import type { Html } from '../view.ts';
import { select } from './forms.ts';

const mostSources = 500;

/** A value of the address's query, when there is one. */
export function queryOf(url: URL, name: string): string | undefined {
  return url.searchParams.get(name)?.trim() || undefined;
}

/** Fields that narrow a list down; they go into the address, so that a view can be kept as a bookmark. */
export function filterForm(url: URL, fields: Html): Html {
  return html`<form method="get" action="${url.pathname}" class="fields">
${fields}
<button>Show</button>
</form>`;
}

export async function sourceNames({ db }: RelayContext): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('source')
    .select('name')
    .orderBy('number')
    .limit(mostSources)
    .execute();
  return rows.map(({ name }) => name);
}

/** Nothing where there is only one to choose. */
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
