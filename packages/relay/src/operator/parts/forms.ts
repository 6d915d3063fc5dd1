import { formsOf, type Html, select } from '@screen-advertising/page-kit';
import { html, raw } from 'hono/html';
import { rights } from '../../records/rights.ts';
import type { ActionName } from '../actions.ts';
import { product } from '../product.ts';

export { select };

export const { actionForm, actionButton } = formsOf<ActionName>(product);

interface Disclosure {
  readonly label: string;
  readonly of: string;
  readonly content: Html;
  /** Whether it is open at first. */
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
  options: Object.entries(rights).map(([right, reach]) => [right, `${right}: ${reach}`] as const),
};
