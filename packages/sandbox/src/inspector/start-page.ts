import { copyableValue, factList, type Html, livePart } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { credentialsOf } from '../access/access.ts';
import { basePath } from '../http/exchange.ts';
import { webhookAddresses } from './events-page.ts';
import { actionButton, type InspectorPageDefinition, type PageInput } from './view.ts';

export const startPage: InspectorPageDefinition = {
  path: '/',
  title: 'Start',
  intro:
    'The partner interface of the Screen Advertising service, on your machine. Use this page to connect n8n, Zapier, or your own program.',
  content: (view) => html`${connection(view)}
${livePart('counts', counts(view))}
<section>
<h2>Webhook addresses</h2>
<p>Where the events of an access are sent. For the real service, the Screen Advertising team registers them.</p>
${webhookAddresses(view)}
</section>`,
};

function connection({ sandbox, url }: PageInput): Html {
  const baseUrl = `${url.origin}${basePath}`;
  const accesses = sandbox.accesses.map(
    (access) => html`<article class="card">
<h3>${access.id}</h3>
<p class="quiet">${access.name}</p>
${factList(
  credentialsOf(access).map(([name, value]) => [
    name,
    copyableValue(value, `${name} of ${access.id}`),
  ]),
  '',
)}
${actionButton(url, {
  action: 'rotate-client-secret',
  label: 'Rotate client secret',
  of: `of ${access.id}`,
  fields: { id: access.id },
  id: `rotate-${access.id}`,
})}
</article>`,
  );
  const call = `curl -H 'Authorization: Bearer ${sandbox.accesses[0].apiKey}' '${baseUrl}/screens?limit=1'`;
  return html`<section>
<h2>Connect</h2>
${factList([
  ['Base URL', copyableValue(baseUrl, 'Base URL')],
  ['Try a request', copyableValue(call, 'Try a request')],
])}
<h2>Demo credentials</h2>
<p>Each access has an API key, client credentials, and a secret that signs its webhooks. They work only in this sandbox. Rotate a client secret to see what a client does when its own has expired.</p>
${livePart('accesses', html`<div class="cards">${accesses}</div>`)}
</section>`;
}

function counts({ sandbox }: PageInput): Html {
  const stored = sandbox.counts();
  const tiles: readonly (readonly [string, string, number])[] = [
    ['Screens', '/inspector/screens', stored.screens],
    ['Coupons', '/inspector/coupons', stored.coupons],
    ['Users', '/inspector/users', stored.users],
    ['Campaign requests', '/inspector/campaign-requests', stored.campaignRequests],
    ['Deliveries', '/inspector/events', stored.deliveries],
    ['Requests', '/inspector/journal', sandbox.journal.list().length],
  ];
  return html`<ul class="tiles" aria-label="What the sandbox holds">
${tiles.map(([label, path, count]) => html`<li><a href="${path}"><b>${count}</b> ${label}</a></li>\n`)}
</ul>`;
}
