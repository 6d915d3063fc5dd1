import { html } from 'hono/html';

/** The target of the sandbox's landing links. Shows the tracking parameters that arrived. */
export function landingPage(parameters: URLSearchParams) {
  const rows = [...parameters].map(([name, value]) => html`<li><code>${name}</code> ${value}</li>`);
  const title = 'Sandbox landing page';
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color: #1b2733; }
code { background: #eef2f6; padding: .1em .3em; border-radius: 4px; }
</style>
<h1>${title}</h1>
<p>A visitor who follows a landing link arrives with these parameters:</p>
<ul>${rows}</ul>
</html>
`;
}

export const landingPageHeaders = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};
