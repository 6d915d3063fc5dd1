import { html } from 'hono/html';
import type { ShownKey } from './actions.ts';
import { copyable, facts } from './parts/values.ts';
import type { Detail } from './view.ts';

/** The database cannot show the key again. */
export function keyPage({ key, source, name }: ShownKey, back: string): Detail {
  return {
    title: 'Connector key',
    intro: `For the token "${name}" of the source "${source}". It is shown only once: copy it now.`,
    content: html`${facts([
      ['Connector key', copyable(key.connectorKey, 'the connector key')],
      ['Token', copyable(key.token, 'the token')],
      ['Signing secret', copyable(key.signingSecret, 'the signing secret')],
    ])}
<p>Paste the connector key into a connector. The token and the signing secret are its two parts, for use in your own programs.</p>
<p><a href="${back}">Back</a></p>`,
  };
}
