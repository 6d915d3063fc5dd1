import { html } from 'hono/html';
import { actionForm, disclosure } from '../parts/forms.ts';
import { table } from '../parts/table.ts';
import { moment } from '../parts/values.ts';
import type { Html, ListPage } from '../view.ts';

const most = 500;

export const sourcesPage: ListPage = {
  path: '/operator/sources',
  title: 'Sources',
  intro: 'Add one source for each access. Ask the Screen Advertising team to register its address.',
  async content({ context: { db, clock }, url, relayUrl }) {
    const rows = await db
      .selectFrom('source')
      .select(['name', 'created_at', 'previous_until'])
      .orderBy('number')
      .limit(most)
      .execute();
    const isOver = (until: Date | null) => until === null || until.getTime() <= clock.now();
    return html`${table({
      name: 'Sources',
      columns: ['Source', 'Address to register', 'Created', 'Previous secret works until', ''],
      rows: rows.map(({ name, created_at, previous_until }) => [
        name,
        html`<code>${relayUrl}/in/${name}</code>`,
        moment(created_at),
        moment(isOver(previous_until) ? null : previous_until),
        rotateForm(url, name),
      ]),
      empty: 'No sources yet.',
    })}
<h2>Add a source</h2>
${actionForm(url, {
  action: 'add-source',
  className: 'fields',
  content: html`<div><label for="name">Name</label>
<input id="name" name="name" required pattern="[a-z0-9][a-z0-9\\-]{0,62}" title="Up to 63 lower-case letters, digits and hyphens" placeholder="main" autocomplete="off"></div>
${secretField('secret', 'Signing secret of the access')}
<button class="primary">Add</button>`,
})}`;
  },
};

function rotateForm(url: URL, name: string): Html {
  return disclosure({
    label: 'Rotate secret',
    of: `of ${name}`,
    content: actionForm(url, {
      action: 'rotate-source',
      className: 'fields',
      fields: { name },
      content: html`${secretField(`secret-${name}`, 'New signing secret')}
<button>Rotate</button>`,
    }),
  });
}

function secretField(id: string, label: string): Html {
  return html`<div><label for="${id}">${label}</label>
<input id="${id}" name="secret" type="password" required autocomplete="off"></div>`;
}
