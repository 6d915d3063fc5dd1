import { html } from 'hono/html';
import type { ActionName } from '../actions.ts';
import type { Html, View } from '../view.ts';

interface ActionForm {
  readonly action: ActionName;
  readonly content: Html | Html[];
  /** A question to confirm before the action. */
  readonly confirm?: string;
  /** Resets the form after the action. */
  readonly clears?: boolean;
  readonly className?: string;
}

/** Runs an action and returns to the current page. Also works without the script. */
export function actionForm({ url }: View, { action, content, ...more }: ActionForm): Html {
  return html`<form method="post" action="/inspector/actions/${action}" class="${more.className ?? 'inline'}"
${more.confirm ? html`data-confirm="${more.confirm}"` : ''} ${more.clears ? 'data-clears' : ''}>
<input type="hidden" name="from" value="${pathOf(url)}">
${content}
</form>`;
}

/** One button for one action on one record. */
export function actionButton(
  view: View,
  action: ActionName,
  label: string,
  { id, field = 'id', of = id }: ButtonTarget,
): Html {
  return actionForm(view, {
    action,
    content: html`<input type="hidden" name="${field}" value="${id}">
<button id="${action}-${id}" class="small" aria-label="${label} ${of}">${label}</button>`,
  });
}

interface ButtonTarget {
  readonly id: string;
  /** The field name that carries the ID. */
  readonly field?: string;
  /** What the button is about, for screen readers. */
  readonly of?: string;
}

function pathOf(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.delete('done');
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname;
}

/** Selects the access that an action is about. Left empty, the sandbox chooses it. */
export function accessSelect({ sandbox }: View, id: string, anyLabel?: string): Html {
  return html`<label for="${id}">Access</label>
<select id="${id}" name="access">
${anyLabel ? html`<option value="">${anyLabel}</option>` : ''}
${sandbox.accesses.map((access) => html`<option value="${access.id}">${access.id}</option>`)}
</select>`;
}
