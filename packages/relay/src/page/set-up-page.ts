import { html } from 'hono/html';
import { sql } from 'kysely';
import { publicId, subscriptionId } from '../base/ids.ts';
import { sqlIf } from '../base/statements.ts';
import type { SubscriptionState } from '../base/stored-values.ts';
import type { RelayContext } from '../log/context.ts';
import { type EventRow, listEventRows } from '../log/events.ts';
import { sqlIsSubscribed } from '../log/wants.ts';
import { type RefusedDelivery, Sources } from '../operate/sources.ts';
import { listSubscriptionRows, type SubscriptionRow } from '../subscribe/records.ts';
import {
  actionButton,
  actionForm,
  disclosureForm,
  filterForm,
  formFields,
  queryParameter,
  rightsCheckboxes,
  rightsNote,
  selectField,
  sourceNames,
} from './forms.ts';
import { offReasonText } from './subscription-table.ts';
import { copyableValue, formatMoment, reasonText, shownName, stateBadge } from './values.ts';
import type { Html, ListPage, PageInput } from './view.ts';

export const setUpPath = '/operator/set-up';

interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly content: Html;
}

const maxSubscriptions = 5;

/** Its progress is what the database holds, so a set-up that was left continues where it was. */
export const setUpPage: ListPage = {
  path: setUpPath,
  title: 'Set up',
  intro: 'From nothing to the first event. You can leave and return at any step.',
  async content(view) {
    const { context, url } = view;
    const progress = await setUpProgress(context, queryParameter(url, 'source'));
    if (!progress) return list([nameSource(view)]);
    const { source, source_number } = progress;
    const newest = (state: SubscriptionState) =>
      listSubscriptionRows(context, { source: source_number, state, limit: maxSubscriptions });
    const [sources, active, off, [event], [refused]] = await Promise.all([
      sourceNames(context),
      newest('active'),
      newest('off'),
      listEventRows(context, { source: source_number, limit: 1 }),
      new Sources(context).refused(source),
    ]);
    const isVerified = event !== undefined || progress.is_verified;
    return html`${sources.length > 1 ? chooseSource(url, sources, source) : ''}
${list([
  nameSource(view, source),
  registerAddress(view, source, isVerified),
  enterSecret(view, source, isVerified || !progress.awaits_secret),
  createKey(view, progress),
  connectStep(view, active, off),
  firstEvent(event, isVerified ? undefined : refused),
])}`;
  },
};

function list(steps: readonly Step[]): Html {
  return html`<ol class="steps">${steps.map(
    ({ title, isDone, content }, nth) => html`<li id="step-${nth + 1}" class="card">
<h2>${stateBadge(isDone ? 'done' : 'to do')} ${nth + 1}. ${title}</h2>
${content}
</li>\n`,
  )}</ol>`;
}

function chooseSource(url: URL, names: readonly string[], chosen: string): Html {
  const options = names.map((name) => [name, name] as const);
  return filterForm(url, selectField({ name: 'source', label: 'Source', options, chosen }));
}

function nameSource(view: PageInput, source?: string): Step {
  const fields = formFields(view, 'add-source');
  const form = actionForm(view.url, {
    action: 'add-source',
    className: 'fields',
    content: html`${fields.sourceName()}<button class="primary">Add</button>`,
  });
  return {
    title: 'Name the source',
    isDone: source !== undefined,
    content: source
      ? html`<p>Events of your access arrive at the source <b>${source}</b>.</p>
${disclosureForm({ label: 'Add another', of: 'source', content: form, isOpen: fields.isRefused })}`
      : html`<p>A source receives the events of one access. Its name becomes part of its address.</p>${form}`,
  };
}

function registerAddress({ relayUrl }: PageInput, source: string, isDone: boolean): Step {
  const isPublic = relayUrl.startsWith('https://');
  return {
    title: 'Have its address registered',
    isDone,
    content: html`${copyableValue(`${relayUrl}/in/${source}`, 'the address')}
<p>Send it to the Screen Advertising team, with the events you want and the name or client ID of your access, but never a key. They reply with the signing secret.</p>
${isPublic ? '' : html`<p>The service can reach only an https address. Start the relay with PUBLIC_URL set to yours.</p>`}`,
  };
}

function enterSecret(view: PageInput, source: string, isDone: boolean): Step {
  const fields = formFields(view, 'rotate-source', { name: source });
  const form = actionForm(view.url, {
    action: 'rotate-source',
    className: 'fields',
    fields: { name: source },
    content: html`${fields.secret('secret', 'Signing secret from the reply')}
<button class="primary">Save</button>`,
  });
  return {
    title: 'Paste the signing secret',
    isDone,
    content: isDone
      ? disclosureForm({
          label: 'Replace',
          of: 'the signing secret',
          content: form,
          isOpen: fields.isRefused,
        })
      : html`<p>Without it, the relay rejects every event.</p>${form}`,
  };
}

function createKey(view: PageInput, { source, tokens }: SetUpProgress): Step {
  const fields = formFields(view, 'create-token', { source });
  return {
    title: 'Create a connector key',
    isDone: tokens.length > 0,
    content: html`<p>Give each n8n and each Zapier connection its own. A key is shown once${tokens.includes('first') ? html`. The relay printed that of the token <i>first</i> when it started` : ''}. Created: ${tokens.join(', ') || 'none'}.</p>
${actionForm(view.url, {
  action: 'create-token',
  className: 'fields',
  fields: { source },
  content: html`${fields.input({ name: 'name', label: 'Name', id: 'token-name', attributes: { required: '', maxlength: 200, placeholder: 'my-n8n' } })}
${fields.select(rightsCheckboxes)}
<button class="primary">Create</button>`,
})}
${rightsNote}`,
  };
}

function connectStep(
  { url, relayUrl }: PageInput,
  active: readonly SubscriptionRow[],
  off: readonly SubscriptionRow[],
): Step {
  const rows = (active.length > 0 ? active : off).map((row) => {
    const id = subscriptionId(row);
    const name = shownName(row.name) ?? id;
    return html`<li class="row"><a href="/operator/subscriptions/${id}">${name}</a>
${row.state === 'off' ? offReasonText(row) : actionButton(url, { action: 'subscriptions.test', label: 'Send a test', of: `to ${name}`, fields: { subscription: id } })}</li>\n`;
  });
  return {
    title: 'Connect n8n or Zapier',
    isDone: active.length > 0,
    content: html`<p>Enter the key, and the relay's address:</p>
${copyableValue(relayUrl, "the relay's address")}
<p>In n8n, create a <i>Screen Advertising Relay API</i> credential, choose it in a <i>Screen Advertising Trigger</i>, and publish the workflow. In Zapier, enter both in the connection, and turn the Zap on.</p>
${active.length === 0 && off.length > 0 ? html`<p>No subscription is on. Open one to see how to continue:</p>` : ''}
${rows.length > 0 ? html`<ul>${rows}</ul>` : html`<p class="empty">Waiting for the first subscription.</p>`}`,
  };
}

function firstEvent(event: EventRow | undefined, refused: RefusedDelivery | undefined): Step {
  const content = event
    ? html`<p><a href="/operator/events/${publicId('evt', event.id)}">${event.type}</a> is the latest. It arrived at ${formatMoment(event.received_at)}.</p>`
    : html`${refused ? refusedNote(refused) : ''}<p class="empty">Waiting for the first event. If the team says that the relay rejected one, paste the signing secret again.</p>`;
  return { title: 'See the first event', isDone: event !== undefined, content };
}

function refusedNote({ at, reason, fits_source }: RefusedDelivery): Html {
  const other = fits_source === null ? '' : html`; that of the source <b>${fits_source}</b> does`;
  return html`<p class="notice refused">A delivery arrived at ${formatMoment(at)} and was refused. ${reasonText(reason)}${other}. <a href="/operator/sources#refused">All refused deliveries</a></p>`;
}

interface SetUpProgress {
  readonly source: string;
  readonly source_number: number;
  readonly awaits_secret: boolean;
  readonly is_verified: boolean;
  /** Names of the tokens that work, oldest first. */
  readonly tokens: readonly string[];
}

/** Takes the named source, else the first that awaits its secret, else the first. */
async function setUpProgress(
  { db }: RelayContext,
  source: string | undefined,
): Promise<SetUpProgress | undefined> {
  const { rows } = await sql<SetUpProgress>`
    SELECT source.name AS source, source.number AS source_number, source.awaits_secret,
      coalesce(source.verified_at, source.previous_verified_at) IS NOT NULL AS is_verified,
      ARRAY(
        SELECT token.name FROM token
        WHERE token.source_number = source.number AND token.revoked_at IS NULL
        ORDER BY token.number LIMIT 20
      ) AS tokens
    FROM source ${sqlIf(source, (name) => sql`WHERE source.name = ${name}`)}
    ORDER BY source.awaits_secret DESC, source.number LIMIT 1`.execute(db);
  return rows[0];
}

/** Whether anything subscribed or arrived: the set-up has done its work. */
export async function isInUse({ db }: RelayContext): Promise<boolean> {
  const { rows } = await sql<{ readonly is_in_use: boolean }>`
    SELECT EXISTS (SELECT FROM subscription WHERE ${sqlIsSubscribed})
      OR EXISTS (SELECT FROM event) AS is_in_use`.execute(db);
  return rows[0]?.is_in_use === true;
}
