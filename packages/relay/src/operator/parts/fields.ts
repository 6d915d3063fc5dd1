import { type Choice, select } from '@screen-advertising/page-kit';
import { html, raw } from 'hono/html';
import type { ActionName } from '../actions.ts';
import type { Html, View } from '../view.ts';

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
