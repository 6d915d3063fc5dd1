import type { Html } from '@screen-advertising/page-kit';
import { html } from 'hono/html';

const uuid = /([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** The start of the paths that n8n generates, by the name that n8n shows above each. */
const n8nPaths: ReadonlyArray<readonly [start: RegExp, name: string]> = [
  [/\/webhook\/[\da-f]{8}-/i, 'production URL of n8n'],
  [/\/webhook-test\/[\da-f]{8}-/i, 'test URL of n8n'],
];

/** An address short enough to tell it from others at a glance. Hovering shows all of it. */
export function webhookAddress(url: string): Html {
  const short = url.replaceAll(uuid, '$1…');
  const [, name] = n8nPaths.find(([start]) => start.test(url)) ?? [];
  return html`<span class="url"${short === url ? '' : html` title="${url}"`}>${short}</span>${name ? html` <span class="quiet">${name}</span>` : ''}`;
}
