import { basePath } from '../base-path.ts';
import { escapeHtml, htmlPage } from './html-page.ts';

/** Tells who opens the sandbox in a browser what this is. */
export function rootPage(origin: string): Response {
  return htmlPage(
    'Screen Advertising sandbox',
    `<p>This is the partner interface of the Screen Advertising service on one machine, with made-up
data. Nothing here reaches the real service.</p>
<p>Base URL: <code>${escapeHtml(origin)}${basePath}</code></p>
<p><a href="/_sandbox/openapi.json">OpenAPI document</a>,
<a href="/_sandbox">state of the sandbox</a>.</p>`,
  );
}
