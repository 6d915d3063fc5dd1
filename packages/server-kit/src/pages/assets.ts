import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import type { Product } from './layout.ts';
import { pageScript } from './script.ts';
import { styles } from './styles.ts';

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

/** What the pages load. */
export function assetsApp({ base, icon, styles: own }: Product): Hono {
  const assets = {
    'styles.css': ['text/css; charset=utf-8', `${styles}${own}`],
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
