import app from '../../packages/zapier-screen-advertising/src/index.ts';
import { read } from '../structure/project.ts';
import { groupedRows, markdownTable } from './markdown-table.ts';

export const zapierReadme = 'packages/zapier-screen-advertising/README.md';

const heading = ['Kind', 'Name in the editor', 'What it does'];
const table = /(?<=^## What it offers\n\n)(?:\|.*\n)+/m;

interface Part {
  readonly display: {
    readonly label?: string | undefined;
    readonly description?: string | undefined;
    readonly hidden?: boolean | undefined;
  };
  readonly operation?: object;
}

/** The README of the Zapier app with what the private variant currently offers. */
export function zapierReadmePage(): string {
  const { creates, searches, searchOrCreates, triggers } = app;
  const all: readonly Part[] = Object.values(triggers);
  const visible = all.filter(({ display }) => !display.hidden);
  const isInstant = ({ operation = {} }: Part) => 'type' in operation && operation.type === 'hook';
  const rows = [
    ...rowsOf('Create', Object.values(creates)),
    ...rowsOf('Search', Object.values(searches)),
    ...rowsOf('Search or create', Object.values(searchOrCreates ?? {})),
    ...rowsOf(
      'Trigger',
      visible.filter((trigger) => !isInstant(trigger)),
    ),
    ...rowsOf('Instant trigger', visible.filter(isInstant)),
  ];
  return read(zapierReadme).replace(table, () => markdownTable([heading, ...groupedRows(rows)]));
}

function rowsOf(kind: string, parts: readonly Part[]): string[][] {
  return parts.map(({ display }) => [kind, display.label ?? '', display.description ?? '']);
}
