import { html } from 'hono/html';
import { actionForm, disclosure, secretField, sourceNameField } from '../parts/forms.ts';
import { table } from '../parts/table.ts';
import { copyable, moment } from '../parts/values.ts';
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
        copyable(`${relayUrl}/in/${name}`, `the address of ${name}`),
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
  content: html`${sourceNameField()}
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
