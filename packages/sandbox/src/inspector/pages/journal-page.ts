import { html } from 'hono/html';
import type { JournalEntry } from '../../journal/journal.ts';
import { actionForm } from '../parts/forms.ts';
import { live } from '../parts/sections.ts';
import { badge, moment, statusBadge } from '../parts/values.ts';
import type { Html, InspectorPage, View } from '../view.ts';

/** The journal holds more; the admin API lists all of it. */
const shown = 200;

export const journalPage: InspectorPage = {
  path: '/inspector/journal',
  title: 'Journal',
  intro: 'Every request to the interface, newest first. Credentials are not recorded.',
  content: (view) => html`${live('journal', entries(view))}
${actionForm(view, { action: 'clear-journal', content: html`<button id="journal-clear">Clear the journal</button>` })}`,
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
<dl>
<div><dt>Operation</dt><dd>${entry.operation ?? 'none'}</dd></div>
<div><dt>Access</dt><dd>${entry.access ?? 'unknown'}</dd></div>
<div><dt>Authorization</dt><dd>${entry.authorization}</dd></div>
</dl>
${entry.requestBody === null ? '' : html`<h2>Body</h2><pre tabindex="0" aria-label="Body of the request">${entry.requestBody}</pre>`}
</details></li>\n`;
}
