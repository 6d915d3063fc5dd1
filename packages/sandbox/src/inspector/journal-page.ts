import { facts, type Html, live, moment, statusBadge } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import type { JournalEntry } from '../service/journal.ts';
import { actionForm, badge, type InspectorPage, prettyJson, type View } from './view.ts';

/** The journal holds more; the admin API lists all of it. */
const shown = 200;

export const journalPage: InspectorPage = {
  path: '/inspector/journal',
  title: 'Journal',
  intro:
    'Every request to the interface and its response, newest first. Credentials are not recorded.',
  content: (view) => html`${live('journal', entries(view))}
${actionForm(view.url, { action: 'clear-journal', content: html`<button id="journal-clear">Clear the journal</button>` })}`,
};

function entries({ sandbox }: View): Html {
  const latest = sandbox.journal.list().reverse().slice(0, shown);
  if (latest.length === 0) return html`<p class="empty">No requests yet.</p>`;
  return html`<ul class="records">${latest.map(entryItem)}</ul>`;
}

function entryItem(entry: JournalEntry): Html {
  return html`<li><details id="call-${entry.id}">
<summary>${statusBadge(entry.status)} <b>${entry.method}</b> <span class="url">${entry.path}</span>
${entry.faults.map((fault) => badge(fault))}
<span class="quiet">${moment(entry.at)}, ${entry.durationMs} ms</span></summary>
${facts(
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
