import { html, raw } from 'hono/html';
import type { Html } from './view.ts';

export interface Notice {
  readonly kind: 'done' | 'refused';
  readonly text: string;
}

interface Layout {
  readonly title: string;
  readonly intro?: string;
  readonly notice?: Notice | undefined;
  /** Absent when the visitor is not signed in. */
  readonly navigation?: Html;
  readonly content: Html;
}

/**
 * A whole page. It works without scripts; with them, its content follows what happens. The content
 * security policy allows only the relay's own scripts.
 */
export function layout({ title, intro, notice, navigation, content }: Layout): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Screen Advertising relay</title>
<link rel="icon" href="/operator/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/operator/styles.css">
${navigation ? scripts : ''}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="name" href="/"><img src="/operator/icon.svg" alt="" width="28" height="28"> Screen Advertising <span>relay</span></a>
${navigation ? signOut : ''}
</header>
${navigation ?? ''}
<main id="content" tabindex="-1">
<div id="notice" role="status">${notice ? html`<p class="notice ${notice.kind}">${notice.text}</p>` : ''}</div>
<h1>${title}</h1>
${intro ? html`<p class="intro">${intro}</p>` : ''}
${navigation ? html`<div id="live" data-live>${content}</div>` : content}
</main>
</body>
</html>
`;
}

const scripts = html`<script src="/operator/idiomorph.js" defer></script>
<script src="/operator/script.js" defer></script>`;

const signOut = html`<form method="post" action="/operator/sign-out" class="inline">
<button class="small">Sign out</button>
</form>`;

/** Navigation links, with the current page marked. */
export function navigationOf(
  pages: readonly { readonly path: string; readonly title: string }[],
  current: string,
): Html {
  const links = pages.map(
    ({ path, title }) =>
      html`<li><a href="${path}" ${path === current ? raw('aria-current="page"') : ''}>${title}</a></li>\n`,
  );
  return html`<nav aria-label="Pages"><ul>${links}</ul></nav>`;
}
