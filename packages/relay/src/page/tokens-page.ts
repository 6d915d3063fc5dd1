import { htmlTable } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { type Selectable, sql } from 'kysely';
import { readRowNumber, rowsOfPage } from '../base/contract.ts';
import { sqlIf } from '../base/statements.ts';
import type { TokenTable } from '../base/tables.ts';
import type { RelayContext } from '../log/context.ts';
import {
  actionButton,
  actionForm,
  disclosureForm,
  formFields,
  pager,
  pageSize,
  queryParameter,
  rightsCheckboxes,
  rightsNote,
  rowsToRead,
  sourceNames,
} from './forms.ts';
import { setUpPath } from './set-up-page.ts';
import { formatMoment, stateBadge, timeWithAge } from './values.ts';
import type { Html, ListPage, PageInput } from './view.ts';

export const tokensPage: ListPage = {
  path: '/operator/tokens',
  title: 'Tokens',
  partOf: setUpPath,
  intro: 'Connectors sign in with tokens. Give each connector its own.',
  async content(view) {
    const { context, url } = view;
    const rows = await listTokens(context, readRowNumber(queryParameter(url, 'after') ?? ''));
    const now = context.clock.now();
    const { shown, next } = rowsOfPage(rows, pageSize, ({ number }) => String(number));
    return html`<h2>Create a connector key</h2>
${createForm(view, await sourceNames(context))}
${rightsNote}
<h2>All tokens</h2>
${htmlTable({
  name: 'Tokens',
  columns: [
    'Token',
    'Source',
    'Rights',
    'State',
    'Created',
    'Last used',
    'Previous key works until',
    '',
  ],
  rows: shown.map((row) => cells(url, now, row)),
  empty: 'No tokens.',
})}
${pager({ url, next })}`;
  },
};

interface TokenRow
  extends Pick<
    Selectable<TokenTable>,
    'number' | 'name' | 'rights' | 'created_at' | 'used_at' | 'revoked_at' | 'previous_until'
  > {
  readonly source: string;
  /** How many of its subscriptions are on. */
  readonly active: number;
}

/** Newest first; starts after the token with this number. */
async function listTokens({ db }: RelayContext, after: number | undefined) {
  const { rows } = await sql<TokenRow>`
    SELECT token.number, token.name, source.name AS source, token.rights, token.created_at,
      token.used_at, token.revoked_at, token.previous_until, (
        SELECT count(*)::integer FROM subscription
        WHERE subscription.token_number = token.number AND subscription.state = 'active') AS active
    FROM token JOIN source ON source.number = token.source_number
    ${sqlIf(after, (number) => sql`WHERE token.number < ${number}`)}
    ORDER BY token.number DESC LIMIT ${rowsToRead}`.execute(db);
  return rows;
}

function createForm(view: PageInput, sources: readonly string[]): Html {
  if (sources.length === 0) {
    return html`<p class="empty">A token belongs to a source. <a href="/operator/sources">Add a source</a> first.</p>`;
  }
  const fields = formFields(view, 'create-token');
  return actionForm(view.url, {
    action: 'create-token',
    className: 'fields',
    content: html`${fields.select({ name: 'source', label: 'Source', options: sources.map((name) => [name, name]) })}
${fields.input({ name: 'name', label: 'Name', attributes: { required: '', maxlength: 200, placeholder: 'Zapier' } })}
${fields.select(rightsCheckboxes)}
<button class="primary">Create</button>`,
  });
}

function cells(url: URL, now: number, row: TokenRow) {
  const { name, source, rights, created_at, used_at, revoked_at, previous_until } = row;
  const isTurning =
    revoked_at === null && previous_until !== null && previous_until.getTime() > now;
  return [
    name,
    source,
    rights.join(', '),
    revoked_at ? html`${stateBadge('revoked')} ${formatMoment(revoked_at)}` : stateBadge('active'),
    formatMoment(created_at),
    used_at ? timeWithAge(used_at, now) : 'never',
    formatMoment(isTurning ? previous_until : null),
    revoked_at ? '' : html`${rotateForm(url, row)} ${revokeForm(url, row)}`,
  ];
}

function rotateForm(url: URL, { name, source, previous_until }: TokenRow): Html {
  return disclosureForm({
    label: 'Rotate',
    of: name,
    content: html`<p>Shows a new key. The current one works for one more day; the one before it stops working now.</p>
${actionButton(url, {
  action: 'rotate-token',
  label: 'Rotate now',
  of: name,
  fields: { source, name, seen: previous_until?.toISOString() ?? '' },
})}`,
  });
}

function revokeForm(url: URL, { name, source, active }: TokenRow): Html {
  const those = active === 1 ? 'its one active subscription' : `its ${active} active subscriptions`;
  return disclosureForm({
    label: 'Revoke',
    of: name,
    content: html`<p>Revokes the token immediately, and switches off ${active === 0 ? 'no subscription, as none is active' : those}.</p>
${actionButton(url, { action: 'revoke-token', label: 'Revoke now', of: name, fields: { source, name } })}`,
  });
}
