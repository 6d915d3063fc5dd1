import { escapeHtml, htmlPage } from './html-page.ts';

/** Where landing links of the sandbox lead: shows the tracking parameters that arrived. */
export function landingPage(parameters: URLSearchParams): Response {
  const rows = [...parameters].map(
    ([name, value]) => `<li><code>${escapeHtml(name)}</code> ${escapeHtml(value)}</li>`,
  );
  return htmlPage(
    'Landing page of the sandbox',
    `<p>A visitor who follows a landing link arrives with these parameters:</p>
<ul>${rows.join('')}</ul>`,
  );
}
