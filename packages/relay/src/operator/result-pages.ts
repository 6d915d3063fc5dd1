import { html } from 'hono/html';
import type { ShownKey } from './actions.ts';
import { facts } from './parts/values.ts';
import type { Detail } from './view.ts';

/** The database has no way to show it again. */
export function keyPage({ key, source, name }: ShownKey, back: string): Detail {
  return {
    title: 'Connector key',
    intro: `Of the token "${name}" of the source "${source}". The relay shows it this once: copy it now.`,
    content: html`${facts([
      ['Connector key', html`<code class="whole">${key.connectorKey}</code>`],
      ['Token', html`<code class="whole">${key.token}</code>`],
      ['Signing secret', html`<code class="whole">${key.signingSecret}</code>`],
    ])}
<p>Paste the connector key into a connector. The token and the signing secret are its two parts, for programs of your own.</p>
<p><a href="${back}">Back</a></p>`,
  };
}

export function refusedPage(text: string, back: string): Detail {
  return {
    title: 'Not done',
    intro: '',
    content: html`<p class="notice refused" role="alert">${text}</p>
<p><a href="${back}">Back</a></p>`,
  };
}
