import { drawQrCode } from '@screen-advertising/core/qr-code';
import { html, raw } from 'hono/html';

const look = { format: 'svg', size: 280, quietZone: 4, errorCorrection: 'medium' } as const;

/** The target of the sandbox's landing links. Shows the parameters that arrived, and the QR code. */
export async function landingPage({ href, searchParams }: URL) {
  const drawn = await drawQrCode({ ...look, text: href }).catch(() => undefined);
  const rows = [...searchParams].map(
    ([name, value]) => html`<li><code>${name}</code> ${value}</li>`,
  );
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
${drawn ? html`<h2>Its QR code</h2>\n${raw(new TextDecoder().decode(drawn.bytes))}` : ''}
</html>
`;
}

export const landingPageHeaders = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};
