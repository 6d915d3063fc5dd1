import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { pageScript } from './script.ts';
import { pageStyles } from './styles.ts';

/** Already escaped: values in templates never become markup. */
export type Html = ReturnType<typeof html>;

/** Whose pages these are. */
export interface ServerProduct {
  /** For example `relay`. Part of every title. */
  readonly name: string;
  /** The path of its styles, script, icon and actions, such as `/operator`. */
  readonly base: string;
  /** Milliseconds between two refreshes of an open page. */
  readonly refreshMs: number;
  /** An SVG image. */
  readonly icon: string;
  /** CSS for what only its pages have. */
  readonly styles: string;
}

export interface Notice {
  readonly kind: 'done' | 'refused';
  readonly text: string;
  /** A field of the page takes the focus. By default the notice has it, and Tab continues from there. */
  readonly leavesFocus?: boolean;
}

export interface PageContent {
  readonly title: string;
  readonly intro?: string | undefined;
  /** The result of the last action. */
  readonly notice?: Notice | undefined;
  /** Beside the name of the product. */
  readonly header?: Html | undefined;
  /** A page without navigation has no script. */
  readonly navigation?: Html | undefined;
  readonly content: Html;
  readonly footer?: Html | undefined;
}

/** A whole page. It works without scripts; with them, its live parts follow what happens. */
export function pageLayout({ name, base, refreshMs }: ServerProduct, page: PageContent): Html {
  const { title, intro, notice, header = '', navigation, content, footer } = page;
  return html`<!doctype html>
<html lang="en" data-refresh-ms="${refreshMs}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Screen Advertising ${name}</title>
<link rel="icon" href="${base}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}/styles.css">
${navigation ? scripts(base) : ''}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="name" href="/"><img src="${base}/icon.svg" alt="" width="28" height="28"> <b>Screen Advertising</b> <span>${name}</span></a>
${header}
</header>
${navigation ?? ''}
<main id="content" tabindex="-1">
<div id="notice" role="${notice?.kind === 'refused' ? 'alert' : 'status'}" tabindex="-1"${notice && !notice.leavesFocus ? raw(' autofocus') : ''}>${notice ? html`<p class="notice ${notice.kind}">${notice.text}</p>` : ''}</div>
<h1>${title}</h1>
${intro ? html`<p class="intro">${intro}</p>` : ''}
${content}
</main>
${footer ? html`<footer>${footer}</footer>` : ''}
</body>
</html>
`;
}

function scripts(base: string): Html {
  return html`<script src="${base}/idiomorph.js" defer></script>
<script src="${base}/script.js" defer></script>`;
}

/** Navigation links, with the current page marked. */
export function navigationLinks(
  pages: readonly { readonly path: string; readonly title: string }[],
  current: string,
): Html {
  const links = pages.map(
    ({ path, title }) =>
      html`<li><a href="${path}" ${path === current ? raw('aria-current="page"') : ''}>${title}</a></li>\n`,
  );
  return html`<nav aria-label="Pages"><ul>${links}</ul></nav>`;
}

/** A part of the page that refreshes while the page is open. */
export function livePart(id: string, content: Html | Html[]): Html {
  return html`<div id="${id}" data-live>${content}</div>`;
}

/** The library that changes the open page into a fresh one (0BSD). */
const idiomorph = readFileSync(
  createRequire(import.meta.url).resolve('idiomorph/dist/idiomorph.min.js'),
  'utf8',
);

/** Headers of every page. The content security policy allows only the product's own scripts. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  // Sends no referrer to other sites. With "no-referrer", browsers would also hide a form's origin.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** The files that the pages load. */
export function assetsApp({ base, icon, styles: own }: ServerProduct): Hono {
  const assets = {
    'styles.css': ['text/css; charset=utf-8', `${pageStyles}${own}`],
    'script.js': ['text/javascript; charset=utf-8', `(${pageScript.toString()})();\n`],
    'idiomorph.js': ['text/javascript; charset=utf-8', idiomorph],
    'icon.svg': ['image/svg+xml', icon],
  } as const;
  const app = new Hono();
  for (const [name, [type, text]] of Object.entries(assets)) {
    app.get(`${base}/${name}`, (c) => c.body(text, 200, { 'content-type': type }));
  }
  return app;
}
