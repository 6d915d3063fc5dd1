import { operations } from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { type Html, htmlTable, livePart, selectField } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import type { ActiveFault } from '../faults/faults.ts';
import { faultChoices } from './actions.ts';
import { actionButton, actionForm, type InspectorPageDefinition, type PageInput } from './view.ts';

export const faultsPage: InspectorPageDefinition = {
  path: '/inspector/faults',
  title: 'Faults',
  intro: 'Make requests fail, and see how your automation copes.',
  content: (view) => html`${faultForm(view)}
<h2>Active faults</h2>
${livePart('faults', faultTable(view))}
${actionForm(view.url, { action: 'clear-faults', content: html`<button id="faults-clear">Switch all off</button>` })}`,
};

function faultForm(view: PageInput): Html {
  const kinds = faultChoices.map(({ id, label }) => [id, label] as const);
  const calls = [...Object.values(operations), { title: 'Get a token', ...tokenEndpoint }].map(
    ({ method, path, title }) => [`${method} ${path}`, title] as const,
  );
  const content = html`${selectField({ name: 'kind', label: 'What goes wrong', options: kinds })}
${selectField({ name: 'calls', label: 'Which requests', options: [['', 'All requests'], ...calls] })}
<div><label for="fault-times">How often</label>
<input id="fault-times" name="times" type="number" min="1" step="1" value="1" placeholder="Always"></div>
<button id="fault-add" class="primary">Switch on</button>`;
  return actionForm(view.url, { action: 'add-fault', content, className: 'fields' });
}

function faultTable(view: PageInput): Html {
  return htmlTable({
    name: 'Faults',
    columns: ['What goes wrong', 'Which requests', 'Triggered', ''],
    rows: view.sandbox.faults.list().map((fault) => [
      describe(fault),
      requestsOf(fault),
      fault.times === undefined
        ? `${fault.triggered} times`
        : `${fault.triggered} of ${fault.times}`,
      actionButton(view.url, {
        action: 'remove-fault',
        label: 'Switch off',
        of: fault.id,
        fields: { id: fault.id },
        id: `remove-${fault.id}`,
      }),
    ]),
    empty: 'No active faults: every request gets a normal response.',
  });
}

function requestsOf({ method, path }: ActiveFault): Html | string {
  if (method === undefined && path === undefined) return 'All requests';
  return html`<code>${method ?? 'any method'} ${path ?? 'any path'}</code>`;
}

function describe(fault: ActiveFault): string {
  const known = faultChoices.find(({ action }) =>
    Object.entries(action).every(
      ([name, value]) => JSON.stringify(Reflect.get(fault, name)) === JSON.stringify(value),
    ),
  );
  return known?.label ?? fault.fault;
}
