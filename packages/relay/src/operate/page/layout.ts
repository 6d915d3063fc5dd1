import {
  type Html,
  layout as kitLayout,
  live,
  type Page,
  type Product,
} from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { styles } from './assets/styles.ts';

/** One line in, three out. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<g fill="none" stroke="#2b59c3" stroke-width="3" stroke-linecap="round"><path d="M3 16h24M10 16c5 0 5-9 10-9h7M10 16c5 0 5 9 10 9h7"/></g>
<circle cx="10" cy="16" r="4.5" fill="#2b59c3"/>
</svg>
`;

export const product: Product = {
  name: 'relay',
  base: '/operator',
  refreshMs: 3000,
  icon,
  styles,
};

/** A whole page. Without navigation, the visitor is not signed in. */
export function layout(page: Page): Html {
  if (!page.navigation) return kitLayout(product, page);
  return kitLayout(product, { ...page, header: signOut, content: live('live', page.content) });
}

const signOut = html`<form method="post" action="/operator/sign-out" class="inline">
<button class="small">Sign out</button>
</form>`;
