import {
  factList,
  formatMoment,
  type Html,
  livePart,
  statusBadge,
} from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import type { JournalEntry } from '../service/journal.ts';
import {
  actionForm,
  type InspectorPageDefinition,
  type PageInput,
  prettyJson,
  stateBadge,
} from './view.ts';

/** The journal holds more; the admin API lists all of it. */
const shown = 200;

export const journalPage: InspectorPageDefinition = {
  path: '/inspector/journal',
  title: 'Journal',
  intro:
    'Every request to the interface and its response, newest first. Credentials are not recorded.',
  content: (view) => html`${livePart('journal', entries(view))}
${actionForm(view.url, { action: 'clear-journal', content: html`<button id="journal-clear">Clear the journal</button>` })}`,
};

function entries({ sandbox }: PageInput): Html {
  const latest = sandbox.journal.list().reverse().slice(0, shown);
  if (latest.length === 0) return html`<p class="empty">No requests yet.</p>`;
  return html`<ul class="records">${latest.map(entryItem)}</ul>`;
}

function entryItem(entry: JournalEntry): Html {
  return html`<li><details id="call-${entry.id}">
<summary>${statusBadge(entry.status)} <b>${entry.method}</b> <span class="url">${entry.path}</span>
${entry.faults.map((fault) => stateBadge(fault))}
<span class="quiet">${formatMoment(entry.at)}, ${entry.durationMs} ms</span></summary>
${factList(
  [
    ['Operation', entry.operation ?? 'none'],
    ['Access', entry.access ?? 'unknown'],
    ['Authorization', entry.authorization],
  ],
  '',
)}
${entry.requestBody === null ? '' : html`<h2>Request</h2><pre tabindex="0" aria-label="Body of the request">${prettyJson(entry.requestBody)}</pre>`}
${entry.responseBody === null ? '' : html`<h2>Response</h2><pre tabindex="0" aria-label="Body of the response">${prettyJson(entry.responseBody)}</pre>`}
</details></li>\n`;
}
