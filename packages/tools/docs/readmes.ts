import { events, operations } from '@screen-advertising/core';
import { type CatalogueEntry, compoundOperations } from '@screen-advertising/core/availability';
import {
  type RelayOperation,
  type RightsNeed,
  relayContract,
} from '@screen-advertising/core/relay-contract';
import * as z from 'zod';
import { loadPackage } from '../../../test/n8n/n8n.ts';
import { operationKey } from '../../../test/n8n/operation-keys.ts';
import { read } from '../../../test/structure/project.ts';
import { environmentSettings } from '../../relay/src/run/cli/settings.ts';
import { rights, rightsByNeed } from '../../relay/src/subscribe/rights.ts';
import app from '../../zapier-screen-advertising/src/index.ts';

type Rows = readonly (readonly string[])[];

/** The guide to events with the names of those that exist. */
export function eventGuide(path: string): string {
  const listed = /(?<=^The events are ).*(?=\.$)/m;
  return read(path).replace(listed, () => listOf(Object.keys(events)));
}

/** Names as code, in a sentence. */
function listOf(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}

/** The README of the relay with the names of its settings, and with what its contract says. */
export function relayReadme(path: string): string {
  const listed = /(?<=explained by `--help`:\n\n).*(?=\.$)/m;
  return read(path)
    .replace(listed, () => listOf(Object.keys(environmentSettings)))
    .replace(rowsBelow(rightsHeading), () => lines(rightsRows()))
    .replace(rowsBelow(['Member', 'What it delivers']), () => lines(redeliverRows()));
}

/** The rows of the table with these headings. */
function rowsBelow(headings: readonly string[]): RegExp {
  return new RegExp(`(?<=^\\| ${headings.join(' \\| ')} \\|\n\\|[-|]+\\|\n)(?:\\|.*\n)+`, 'm');
}

function lines(rows: Rows): string {
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** The members of the body that redelivers. */
function redeliverRows(): Rows {
  const { properties = {} } = z.toJSONSchema(relayContract['subscriptions.redeliver'].input);
  return Object.entries(properties).map(([name, member]) => [
    `\`${name}\``,
    String(typeof member === 'object' && member.description).replace(/\.$/, ''),
  ]);
}

const rightNames = Object.keys(rights) as (keyof typeof rights)[];
const rightsHeading = ['Requests', ...rightNames.map((right) => `\`${right}\``)];

/** What a token with each right may do: a row for the requests that need the same. */
function rightsRows(): Rows {
  const requests = Object.values<RelayOperation>(relayContract);
  const ofNeed = (Object.keys(rightsByNeed) as RightsNeed[]).map((need) => {
    const routes = requests.filter((request) => request.need === need);
    const reaches: Readonly<Record<string, string>> = rightsByNeed[need];
    return [
      routes.map(({ method, path }) => `\`${method} ${path}\``).join(', '),
      ...rightNames.map((right) => reaches[right] ?? 'no'),
    ];
  });
  return [...ofNeed, ["The operator's page", ...rightNames.map(() => 'no')]];
}

/** The README of the n8n package with the operations that the node currently offers. */
export async function n8nReadme(path: string): Promise<string> {
  const { nodes } = await loadPackage();
  const { properties = [] } = nodes.get('screenAdvertising')?.description ?? {};
  const offered: readonly CatalogueEntry[] = [
    ...Object.values(operations),
    compoundOperations['screen.findAvailable'],
  ];
  const choices = properties
    .filter(({ name }) => name === 'operation')
    .flatMap(({ displayOptions, options = [] }) =>
      options.map((option) => ({ resource: displayOptions?.show?.resource?.[0], option })),
    );
  const rows = choices.flatMap(({ resource, option }) => {
    const operation = offered.find((task) => {
      const key = operationKey(task.name);
      return key.resource === resource && 'value' in option && key.value === option.value;
    });
    if (!operation) return [];
    const scopes = operation.scopes.map((scope) => `\`${scope}\``).join(' or ');
    return [[operation.resource.title, option.name, scopes]];
  });
  const heading = ['Resource', 'Operation', 'Scope'];
  return withTable(path, 'Operations', heading, rows);
}

interface Part {
  readonly display: {
    readonly label?: string | undefined;
    readonly hidden?: boolean | undefined;
  };
  readonly operation?: object;
}

/** The README of the Zapier app with what the private variant currently offers. */
export function zapierReadme(path: string): string {
  const { creates, searches, searchOrCreates, triggers } = app;
  const all: readonly Part[] = Object.values(triggers);
  const isInstant = ({ operation = {} }: Part) => 'type' in operation && operation.type === 'hook';
  const { true: instant = [], false: polling = [] } = Object.groupBy(
    all.filter(({ display }) => !display.hidden),
    (trigger) => `${isInstant(trigger)}` as const,
  );
  const parts: Readonly<Record<string, readonly Part[]>> = {
    Create: Object.values(creates),
    Search: Object.values(searches),
    'Search or create': Object.values(searchOrCreates ?? {}),
    Trigger: polling,
    'Instant trigger': instant,
  };
  const rows = Object.entries(parts).map(([kind, ofKind]) => [
    kind,
    ofKind.map(({ display }) => display.label).join('; '),
  ]);
  return withTable(path, 'What it offers', ['Kind', 'Names in the editor'], rows);
}

/** A document with the table below a heading replaced. A group's name appears once. */
function withTable(path: string, section: string, heading: string[], rows: Rows): string {
  const grouped = rows.map(([group = '', ...rest], index) => [
    group === rows[index - 1]?.[0] ? '' : group,
    ...rest,
  ]);
  const table = new RegExp(`(?<=^## ${section}\\n\\n)(?:\\|.*\\n)+`, 'm');
  return read(path).replace(table, () => markdownTable([heading, ...grouped]));
}

/** Columns are as wide as their widest cell. */
function markdownTable(rows: Rows): string {
  const [heading = [], ...others] = rows;
  const widths = heading.map((_name, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[], fill = ' '): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |\n`;
  return [line(heading), line([], '-'), ...others.map((row) => line(row))].join('');
}
