import { type Html, layout as kitLayout, live, type Page } from '@screen-advertising/page-kit';
import { html } from 'hono/html';
import { product } from './product.ts';

/** A whole page. Without navigation, the visitor is not signed in. */
export function layout(page: Page): Html {
  if (!page.navigation) return kitLayout(product, page);
  return kitLayout(product, { ...page, header: signOut, content: live('live', page.content) });
}

const signOut = html`<form method="post" action="/operator/sign-out" class="inline">
<button class="small">Sign out</button>
</form>`;
