import { html } from 'hono/html';
import type { Html, View } from '../view.ts';

/** Which access something is about; left alone, the sandbox knows best. */
export function accessSelect({ sandbox }: View, id: string, anyLabel?: string): Html {
  return html`<label for="${id}">Access</label>
<select id="${id}" name="access">
${anyLabel ? html`<option value="">${anyLabel}</option>` : ''}
${sandbox.accesses.map((access) => html`<option value="${access.id}">${access.id}</option>`)}
</select>`;
}
