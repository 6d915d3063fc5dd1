import {
  type Html,
  layout as kitLayout,
  type Notice,
  navigationOf,
} from '@screen-advertising/page-kit';
import { html } from 'hono/html';
import { clockBar } from './parts/clock-bar.ts';
import { actionForm } from './parts/forms.ts';
import { product } from './product.ts';
import type { InspectorPage, View } from './view.ts';

/** A whole page: navigation, clock, the last action's message, and the page's content. */
export function layout(
  view: View,
  pages: readonly InspectorPage[],
  { path, title, intro, content }: InspectorPage,
  notice?: Notice,
): Html {
  const reset = actionForm(view.url, {
    action: 'reset',
    confirm: 'This deletes everything you created here. Continue?',
    content: html`<button class="small">Reset the sandbox</button>`,
  });
  return kitLayout(product, {
    title,
    intro,
    notice,
    header: clockBar(view),
    navigation: navigationOf(pages, path),
    content: content(view),
    footer: html`<p>Made-up data on this machine. Nothing here reaches the real service.
<a href="/_sandbox/openapi.json">OpenAPI document</a></p>
${reset}`,
  });
}
