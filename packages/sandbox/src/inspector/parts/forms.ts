import { html } from 'hono/html';
import type { ActionName } from '../actions.ts';
import type { Html, View } from '../view.ts';

interface ActionForm {
  readonly action: ActionName;
  readonly content: Html | Html[];
  /** Asked before anything happens. */
  readonly confirm?: string;
  /** Gets its first values back once the action is done. */
  readonly clears?: boolean;
  readonly className?: string;
}

/** Does something and comes back to the page it is on. Works without the script, too. */
export function actionForm({ url }: View, { action, content, ...more }: ActionForm): Html {
  return html`<form method="post" action="/inspector/actions/${action}" class="${more.className ?? 'inline'}"
${more.confirm ? html`data-confirm="${more.confirm}"` : ''} ${more.clears ? 'data-clears' : ''}>
<input type="hidden" name="from" value="${pathOf(url)}">
${content}
</form>`;
}

/** One button that does one thing to one record. */
export function actionButton(
  view: View,
  action: ActionName,
  label: string,
  { id, field = 'id', of = id, className = 'small' }: ButtonTarget,
): Html {
  return actionForm(view, {
    action,
    content: html`<input type="hidden" name="${field}" value="${id}">
<button id="${action}-${id}" class="${className}" aria-label="${label} ${of}">${label}</button>`,
  });
}

interface ButtonTarget {
  readonly id: string;
  /** Name under which the id is sent. */
  readonly field?: string;
  /** What the button is about, for people who only hear it. */
  readonly of?: string;
  readonly className?: string;
}

function pathOf(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.delete('done');
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname;
}

/** Which access something is about; left alone, the sandbox knows best. */
export function accessSelect({ sandbox }: View, id: string, anyLabel?: string): Html {
  return html`<label for="${id}">Access</label>
<select id="${id}" name="access">
${anyLabel ? html`<option value="">${anyLabel}</option>` : ''}
${sandbox.accesses.map((access) => html`<option value="${access.id}">${access.id}</option>`)}
</select>`;
}
