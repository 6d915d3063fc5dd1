import { html } from 'hono/html';
import type { Html } from '../view.ts';

export const pageSize = 50;
/** Rows to read for a page: one more shows whether there is a next one. */
export const rowsToRead: number = pageSize + 1;

interface Pager {
  readonly url: URL;
  /** Where the next page starts; undefined on the last one. */
  readonly next: string | undefined;
  readonly firstLabel?: string;
  readonly nextLabel?: string;
}

/** Pages only lead forward, with no total count, so every page is as fast as the first. */
export function pager({ url, next, firstLabel = 'Newest', nextLabel = 'Older' }: Pager): Html {
  const link = (position: string | undefined, label: string) => {
    const query = new URLSearchParams(url.search);
    for (const name of ['after', 'done', 'count', 'more']) query.delete(name);
    if (position !== undefined) query.set('after', position);
    return html`<a href="${url.pathname}${query.size > 0 ? `?${query}` : ''}">${label}</a>`;
  };
  const first = url.searchParams.has('after') ? link(undefined, firstLabel) : '';
  const more = next === undefined ? '' : link(next, nextLabel);
  return first || more ? html`<nav class="pager" aria-label="List">${first} ${more}</nav>` : html``;
}
