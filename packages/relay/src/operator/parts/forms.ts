import { formsOf, type Html, select } from '@screen-advertising/page-kit';
import { html } from 'hono/html';
import { rights } from '../../records/rights.ts';
import type { ActionName } from '../actions.ts';
import { product } from '../product.ts';

export { select };

export const { actionForm, actionButton } = formsOf<ActionName>(product);

interface Disclosure {
  readonly label: string;
  readonly of: string;
  readonly content: Html;
}

/** Asks before the action: the form appears once it is opened. */
export function disclosure({ label, of, content }: Disclosure): Html {
  return html`<details class="ask"><summary aria-label="${label} ${of}">${label}</summary>
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

export function sourceNameField(): Html {
  return html`<div><label for="name">Name</label>
<input id="name" name="name" required pattern="[a-z0-9][a-z0-9\\-]{0,62}" title="Up to 63 lower-case letters, digits and hyphens" placeholder="main" autocomplete="off"></div>`;
}

/** The first one suffices for n8n and Zapier. */
export function rightsField(): Html {
  const options = Object.entries(rights).map(
    ([right, reach]) => [right, `${right}: ${reach}`] as const,
  );
  return select({ name: 'rights', label: 'Rights', options });
}

export function secretField(id: string, label: string): Html {
  return html`<div><label for="${id}">${label}</label>
<input id="${id}" name="secret" type="password" required autocomplete="off"></div>`;
}
