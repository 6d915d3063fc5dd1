import { operations } from '@screen-advertising/core';
import { type Task, tasks } from '@screen-advertising/core/availability';
import { loadPackage } from '../n8n/engine/load-package.ts';
import { operationKey } from '../n8n/operation-keys.ts';
import { read } from '../structure/project.ts';
import { groupedRows, markdownTable } from './markdown-table.ts';

export const n8nReadme = 'packages/n8n-nodes-screen-advertising/README.md';

const heading = ['Resource', 'Operation', 'What it does', 'Scope'];
const table = /(?<=^## Operations\n\n)(?:\|.*\n)+/m;

/** The README of the n8n package with the operations that the node currently offers. */
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
  return read(n8nReadme).replace(table, () => markdownTable([heading, ...groupedRows(rows)]));
}
