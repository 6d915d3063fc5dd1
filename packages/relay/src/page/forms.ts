import {
  createActionForms,
  type SelectField,
  selectField,
} from '@screen-advertising/server-kit/pages';
import { html, raw } from 'hono/html';
import type { RelayContext } from '../log/context.ts';
import { rights } from '../subscribe/rights.ts';
import type { ActionName } from './actions.ts';
import { type Html, type PageInput, relayProduct } from './view.ts';

export { selectField };

export const { actionForm, actionButton } = createActionForms<ActionName>(relayProduct);

interface Disclosure {
  readonly label: string;
  readonly of: string;
  readonly content: Html;
  readonly isOpen?: boolean;
}

/** Asks before the action: the form appears once it is opened. */
export function disclosureForm({ label, of, content, isOpen = false }: Disclosure): Html {
  return html`<details class="ask"${isOpen ? raw(' open') : ''}><summary aria-label="${label} ${of}">${label}</summary>
<div>${content}</div>
</details>`;
}

interface Suggested {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder: string;
  readonly suggestions: readonly string[];
}

/** A text field that suggests values; any other value is allowed. */
export function suggestionField({ name, label, value, placeholder, suggestions }: Suggested): Html {
  const options = suggestions.map((text) => html`<option value="${text}"></option>`);
  return html`<div><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value ?? ''}" placeholder="${placeholder}" list="${name}-suggestions" autocomplete="off">
<datalist id="${name}-suggestions">${options}</datalist></div>`;
}

/** The first one suffices for n8n and Zapier. */
export const rightsCheckboxes = {
  name: 'rights',
  label: 'Rights',
  options: Object.keys(rights).map((right) => [right, right] as const),
};

/** Explains the rights below the form, since a phone cuts off long choices. */
export const rightsNote: Html = html`<p class="quiet">Rights: ${Object.entries(rights)
  .map(([right, reach]) => `${right} (${reach})`)
  .join(', ')}.</p>`;

interface Input {
  readonly name: string;
  readonly label: string;
  readonly id?: string;
  readonly value?: string | number | null;
  /** Such as `{ required: '' }`. */
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/**
 * The fields of the form with this action and these hidden fields. After a refusal they hold what was
 * entered, and the one that it is about says why and has the focus.
 */
export function formFields(
  { refused }: PageInput,
  action: ActionName,
  hidden: Readonly<Record<string, string>> = {},
) {
  const isThis =
    refused?.action === action &&
    Object.entries(hidden).every(([name, value]) => refused.form[name] === value);
  const here = isThis ? refused : undefined;

  function input({ name, label, id = name, value, attributes = {} }: Input): Html {
    const shown = { type: 'text', ...attributes };
    // A password is not sent back.
    const entered = shown.type === 'password' ? undefined : here?.form[name];
    const error = here?.about === name ? here.text : undefined;
    const rest = Object.entries(shown).map(([key, text]) => html` ${raw(key)}="${text}"`);
    return html`<div><label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${entered ?? value ?? ''}"${rest} autocomplete="off"${error ? html` aria-invalid="true" aria-describedby="${id}-error" autofocus` : ''}>
${error ? html`<p id="${id}-error" class="error">${error}</p>` : ''}</div>`;
  }

  return {
    isRefused: here !== undefined,
    input,
    select: (choice: SelectField) =>
      selectField({ ...choice, chosen: here?.form[choice.name] ?? choice.chosen }),
    sourceName: () =>
      input({
        name: 'name',
        label: 'Name',
        attributes: {
          required: '',
          pattern: '[a-z0-9][a-z0-9\\-]{0,62}',
          title: 'Up to 63 lower-case letters, digits and hyphens',
          placeholder: 'main',
        },
      }),
    secret: (id: string, label: string) =>
      input({ name: 'secret', label, id, attributes: { type: 'password', required: '' } }),
  };
}

const maxSources = 500;

export function queryParameter(url: URL, name: string): string | undefined {
  return url.searchParams.get(name)?.trim() || undefined;
}

/** Filter fields. They are kept in the URL, so that a view can be bookmarked. */
export function filterForm(url: URL, fields: Html): Html {
  return html`<form method="get" action="${url.pathname}" class="fields">
${fields}
<button>Show</button>
</form>`;
}

/** When events arrived, in UTC like all times of the page. */
interface Period {
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
<input id="${name}" name="${name}" type="datetime-local" value="${queryParameter(url, name) ?? ''}"></div>`;
}

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;

/** One that cannot be read selects no event, so that no typo in a link widens what it shows. */
export function chosenPeriod(url: URL): Period {
  const [from, to] = ['from', 'to'].map((name) => {
    const text = queryParameter(url, name);
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
  const name = queryParameter(url, 'source');
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
  return selectField({
    name: 'source',
    label: 'Source',
    options: [['', 'All'], ...names.map((name) => [name, name] as const)],
    chosen: queryParameter(url, 'source'),
  });
}

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
