import { drawQrCode } from '@screen-advertising/core/qr-code';
import { html, raw } from 'hono/html';
import { timestamp } from '../state/context.ts';
import type { Routes } from './route.ts';

export const landingPath = '/landing';

export const landingLinkRoutes = {
  /** Fields whose names start with utm_ become parameters; callers cannot set `utm_medium`. */
  'landingLink.create'({ context, access, input, origin }) {
    const url = new URL(landingPath, origin);
    url.searchParams.set('utm_source', access.id);
    for (const [name, value] of Object.entries(input)) {
      if (name.startsWith('utm_')) url.searchParams.set(name, written(value));
    }
    url.searchParams.set('utm_medium', 'partner_api');
    const link = {
      id: context.store.nextId('lnk'),
      url: url.toString(),
      created_at: timestamp(context),
    };
    return Response.json(link, { status: 201 });
  },
} satisfies Partial<Routes>;

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

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
