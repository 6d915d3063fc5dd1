import { htmlTable } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { signatureText, untimedSignatureNote } from '../base/stored-values.ts';
import type { SourceTable } from '../base/tables.ts';
import { type RefusedDelivery, Sources } from '../operate/sources.ts';
import { actionButton, actionForm, disclosureForm, formFields } from './forms.ts';
import { setUpPath } from './set-up-page.ts';
import { copyableValue, formatMoment, reasonText } from './values.ts';
import type { Html, ListPage, PageInput } from './view.ts';

const most = 500;

export const sourcesPage: ListPage = {
  path: '/operator/sources',
  title: 'Sources',
  partOf: setUpPath,
  intro: 'Add one source for each access. Ask the Screen Advertising team to register its address.',
  async content(view) {
    const { context, url, relayUrl } = view;
    const { db, clock } = context;
    const fields = formFields(view, 'add-source');
    const rows = await db.selectFrom('source').selectAll().orderBy('number').limit(most).execute();
    const refused = await new Sources(context).refused();
    return html`${htmlTable({
      name: 'Sources',
      columns: [
        'Source',
        'Address to register',
        'Signed',
        'Created',
        'Previous secret works until',
        '',
      ],
      rows: rows.map((row) => [
        row.name,
        copyableValue(`${relayUrl}/in/${row.name}`, `the address of ${row.name}`),
        signedCell(row),
        formatMoment(row.created_at),
        previousEnd(row, clock.now()),
        html`${rotateForm(view, row.name)} ${removeForm(view, row.name)}`,
      ]),
      empty: 'No sources yet.',
    })}
${refusedTable(refused)}
<h2>Add a source</h2>
${actionForm(url, {
  action: 'add-source',
  className: 'fields',
  content: html`${fields.sourceName()}
${fields.secret('secret', 'Signing secret of the access')}
<button class="primary">Add</button>`,
})}`;
  },
};

function signedCell({ scheme, scheme_since }: Pick<SourceTable, 'scheme' | 'scheme_since'>) {
  if (scheme === null) return html`<span class="quiet">no delivery yet</span>`;
  return html`<span class="wraps">${signatureText(scheme)}, since ${formatMoment(scheme_since)}. ${untimedSignatureNote(scheme)}</span>`;
}

type Previous = Pick<SourceTable, 'previous_secret' | 'previous_until' | 'verified_at'>;

function previousEnd({ previous_secret, previous_until, verified_at }: Previous, now: number) {
  if (previous_secret !== null && verified_at === null) return 'the new one is used';
  return formatMoment(Number(previous_until) > now ? previous_until : null);
}

function refusedTable(rows: readonly RefusedDelivery[]): Html {
  return html`<h2 id="refused">Refused deliveries</h2>
${htmlTable({
  name: 'Refused deliveries',
  columns: ['Source', 'At', 'Why', 'Signed', 'Size', 'Headers'],
  rows: rows.map(({ source, at, reason, fits_source, age_seconds, bytes, headers }) => [
    source,
    formatMoment(at),
    html`<span class="wraps">${reasonText(reason)}${fits_source === null ? '' : `; that of ${fits_source} does`}</span>`,
    age_seconds === null ? '-' : `${age_seconds} s before`,
    bytes === null ? '-' : `${bytes} bytes`,
    html`<span class="wraps quiet">${headers.join(', ')}</span>`,
  ]),
  empty: 'None.',
})}`;
}

function rotateForm(view: PageInput, name: string): Html {
  const fields = formFields(view, 'rotate-source', { name });
  return disclosureForm({
    label: 'Rotate secret',
    of: `of ${name}`,
    isOpen: fields.isRefused,
    content: actionForm(view.url, {
      action: 'rotate-source',
      className: 'fields',
      fields: { name },
      content: html`${fields.secret(`secret-${name}`, 'New signing secret')}
<button>Rotate</button>`,
    }),
  });
}

function removeForm({ url }: PageInput, name: string): Html {
  return disclosureForm({
    label: 'Remove',
    of: name,
    content: html`<p>Its address then rejects every event. Possible once its tokens are revoked and its events are pruned, so nothing is lost.</p>
${actionButton(url, { action: 'remove-source', label: 'Remove now', fields: { name } })}`,
  });
}
