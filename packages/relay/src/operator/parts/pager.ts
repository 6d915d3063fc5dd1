import { html } from 'hono/html';
import type { Html } from '../view.ts';

/** How many rows a page shows. */
export const pageSize = 50;

interface Pager {
  readonly url: URL;
  /** Where the next page starts; undefined on the last one. */
  readonly next: string | undefined;
  readonly firstLabel: string;
  readonly nextLabel: string;
}

/** A list is leafed through from its start: nothing is counted, so each page is as quick as the first. */
export function pager({ url, next, firstLabel, nextLabel }: Pager): Html {
  const link = (position: string | undefined, label: string) => {
    const query = new URLSearchParams(url.search);
    for (const name of ['after', 'done', 'count']) query.delete(name);
    if (position !== undefined) query.set('after', position);
    return html`<a href="${url.pathname}${query.size > 0 ? `?${query}` : ''}">${label}</a>`;
  };
  const first = url.searchParams.has('after') ? link(undefined, firstLabel) : '';
  const more = next === undefined ? '' : link(next, nextLabel);
  return first || more ? html`<nav class="pager" aria-label="List">${first} ${more}</nav>` : html``;
}
