import { table } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { onePage, readNumber } from '../base/contract.ts';
import type { RelayContext } from '../log/context.ts';
import {
  actionButton,
  actionForm,
  disclosure,
  formFields,
  pager,
  pageSize,
  queryOf,
  rightsChoice,
  rightsNote,
  rowsToRead,
  sourceNames,
} from './forms.ts';
import { setUpPath } from './set-up-page.ts';
import { badge, moment, when } from './values.ts';
import type { Html, ListPage, View } from './view.ts';

export const tokensPage: ListPage = {
  path: '/operator/tokens',
  title: 'Tokens',
  partOf: setUpPath,
  intro: 'Connectors sign in with tokens. Give each connector its own.',
  async content(view) {
    const { context, url } = view;
    const rows = await listTokens(context, readNumber(queryOf(url, 'after') ?? ''));
    const now = context.clock.now();
    const { shown, next } = onePage(rows, pageSize, ({ number }) => String(number));
    return html`<h2>Create a connector key</h2>
${createForm(view, await sourceNames(context))}
${rightsNote}
<h2>All tokens</h2>
${table({
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

type TokenRow = Awaited<ReturnType<typeof listTokens>>[number];

/** Newest first; starts after the token with this number. */
async function listTokens({ db }: RelayContext, after: number | undefined) {
  return db
    .selectFrom('token')
    .innerJoin('source', 'source.number', 'token.source_number')
    .select(['token.number', 'token.name', 'source.name as source', 'token.created_at'])
    .select(['token.rights', 'token.used_at', 'token.revoked_at', 'token.previous_until'])
    .select(({ selectFrom, fn }) =>
      selectFrom('subscription')
        .select(fn.countAll<string>().as('active'))
        .whereRef('subscription.token_number', '=', 'token.number')
        .where('subscription.state', '=', 'active')
        .as('active'),
    )
    .$if(after !== undefined, (query) => query.where('token.number', '<', after ?? 0))
    .orderBy('token.number', 'desc')
    .limit(rowsToRead)
    .execute();
}

function createForm(view: View, sources: readonly string[]): Html {
  if (sources.length === 0) {
    return html`<p class="empty">A token belongs to a source. <a href="/operator/sources">Add a source</a> first.</p>`;
  }
  const fields = formFields(view, 'create-token');
  return actionForm(view.url, {
    action: 'create-token',
    className: 'fields',
    content: html`${fields.select({ name: 'source', label: 'Source', options: sources.map((name) => [name, name]) })}
${fields.input({ name: 'name', label: 'Name', attributes: { required: '', maxlength: 200, placeholder: 'Zapier' } })}
${fields.select(rightsChoice)}
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
    revoked_at ? html`${badge('revoked')} ${moment(revoked_at)}` : badge('active'),
    moment(created_at),
    used_at ? when(used_at, now) : 'never',
    moment(isTurning ? previous_until : null),
    revoked_at ? '' : html`${rotateForm(url, row)} ${revokeForm(url, row)}`,
  ];
}

function rotateForm(url: URL, { name, source, previous_until }: TokenRow): Html {
  return disclosure({
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
  const count = Number(active);
  const those = count === 1 ? 'its one active subscription' : `its ${count} active subscriptions`;
  return disclosure({
    label: 'Revoke',
    of: name,
    content: html`<p>Revokes the token immediately, and switches off ${count === 0 ? 'no subscription, as none is active' : those}.</p>
${actionButton(url, { action: 'revoke-token', label: 'Revoke now', of: name, fields: { source, name } })}`,
  });
}
