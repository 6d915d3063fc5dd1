import { html, raw } from 'hono/html';
import { clockBar } from './parts/clock-bar.ts';
import { actionForm } from './parts/forms.ts';
import type { Html, InspectorPage, View } from './view.ts';

export interface Notice {
  readonly kind: 'done' | 'refused';
  readonly text: string;
}

/** A whole page: navigation, clock, the last action's message, and the page's content. */
export function layout(
  view: View,
  pages: readonly InspectorPage[],
  page: InspectorPage,
  notice?: Notice,
): Html {
  const links = pages.map(
    ({ path, title }) =>
      html`<li><a href="${path}" ${path === page.path ? raw('aria-current="page"') : ''}>${title}</a></li>\n`,
  );
  const reset = actionForm(view, {
    action: 'reset',
    confirm: 'This deletes everything you created here. Continue?',
    content: html`<button class="small">Reset the sandbox</button>`,
  });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} - Screen Advertising sandbox</title>
<link rel="icon" href="/inspector/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/inspector/inspector.css">
<script src="/inspector/idiomorph.js" defer></script>
<script src="/inspector/inspector.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="name" href="/"><img src="/inspector/icon.svg" alt="" width="28" height="28"> <b>Screen Advertising</b> <span>sandbox</span></a>
${clockBar(view)}
</header>
<nav aria-label="Pages"><ul>${links}</ul></nav>
<main id="content" tabindex="-1">
<div id="notice" role="status">${notice ? noticeBox(notice) : ''}</div>
<h1>${page.title}</h1>
<p class="intro">${page.intro}</p>
${page.content(view)}
</main>
<footer>
<p>Made-up data on this machine. Nothing here reaches the real service.
<a href="/_sandbox/openapi.json">OpenAPI document</a></p>
${reset}
</footer>
</body>
</html>
`;
}

function noticeBox({ kind, text }: Notice): Html {
  return html`<p class="notice ${kind}">${text}</p>`;
}
