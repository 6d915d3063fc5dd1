import { operations } from '@screen-advertising/core';
import { type Task, tasks } from '@screen-advertising/core/availability';
import { loadPackage } from '../n8n/engine/load-package.ts';
import { operationKey } from '../n8n/operation-keys.ts';
import { read } from '../structure/project.ts';

export const n8nReadme = 'packages/n8n-nodes-screen-advertising/README.md';

const heading = ['Resource', 'Operation', 'What it does', 'Scope'];
const table = /(?<=^## Operations\n\n)(?:\|.*\n)+/m;

/** The README of the n8n package with the operations that the node offers today. */
export async function n8nReadmePage(): Promise<string> {
  const { nodes } = await loadPackage();
  const { properties = [] } = nodes.get('screenAdvertising')?.description ?? {};
  const offered: readonly Task[] = [...Object.values(operations), tasks['screen.findAvailable']];
  const rows = properties.flatMap(({ name, displayOptions, options = [] }) =>
    name === 'operation'
      ? options.flatMap((option) => {
          const [resource] = displayOptions?.show?.resource ?? [];
          const operation = offered.find((task) => {
            const key = operationKey(task.name);
            return key.resource === resource && 'value' in option && key.value === option.value;
          });
          if (!operation) return [];
          const scopes = operation.scopes.map((scope) => `\`${scope}\``).join(' or ');
          return [[operation.resource.title, option.name, operation.description, scopes]];
        })
      : [],
  );
  const once = rows.map(([title = '', ...rest], index) => [
    title === rows[index - 1]?.[0] ? '' : title,
    ...rest,
  ]);
  return read(n8nReadme).replace(table, () => written([heading, ...once]));
}

/** A table in Markdown, its columns as wide as their widest cell. */
function written(rows: readonly (readonly string[])[]): string {
  const widths = heading.map((_name, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[], fill = ' '): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |\n`;
  const [first = [], ...others] = rows;
  return [line(first), line([], '-'), ...others.map((row) => line(row))].join('');
}
