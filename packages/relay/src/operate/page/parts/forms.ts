import { type Choice, formsOf, select } from '@screen-advertising/server-kit/pages';
import { html, raw } from 'hono/html';
import { rights } from '../../../subscribe/rights.ts';
import type { ActionName } from '../actions.ts';
import { product } from '../layout.ts';
import type { Html, View } from '../view.ts';

export { select };

export const { actionForm, actionButton } = formsOf<ActionName>(product);

interface Disclosure {
  readonly label: string;
  readonly of: string;
  readonly content: Html;
  readonly isOpen?: boolean;
}

/** Asks before the action: the form appears once it is opened. */
export function disclosure({ label, of, content, isOpen = false }: Disclosure): Html {
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
export function suggested({ name, label, value, placeholder, suggestions }: Suggested): Html {
  const options = suggestions.map((text) => html`<option value="${text}"></option>`);
  return html`<div><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value ?? ''}" placeholder="${placeholder}" list="${name}-suggestions" autocomplete="off">
<datalist id="${name}-suggestions">${options}</datalist></div>`;
}

/** The first one suffices for n8n and Zapier. */
export const rightsChoice = {
  name: 'rights',
  label: 'Rights',
  options: Object.keys(rights).map((right) => [right, right] as const),
};

/** What each is for, below the form: a phone cuts off long choices. */
export const rightsNote: Html = html`<p class="quiet">Rights: ${Object.entries(rights)
  .map(([right, reach]) => `${right} (${reach})`)
  .join(', ')}.</p>`;

interface Input {
  readonly name: string;
  readonly label: string;
  /** Default: the name. */
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
  { refused }: View,
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
    select: (choice: Choice) =>
      select({ ...choice, chosen: here?.form[choice.name] ?? choice.chosen }),
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
