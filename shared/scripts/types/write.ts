import { events, type Operation } from '@screen-advertising/core';
import { type CatalogueEntry, compoundOperations } from '@screen-advertising/core/availability';
import type { DescribedKind } from '../../src/catalogue/event-kind.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { utmFields } from '../../src/catalogue/landing-links.ts';
import { choicesOf, members, recordName, textOf } from './schema.ts';
import {
  aliasOf,
  docstring,
  formatted,
  importsFor,
  interfaceOf,
  kebabCase,
  member,
  pascalCase,
} from './text.ts';

export const typesFolder = 'shared/src/types';
const head = '// `pnpm run docs` writes this file from the catalogue.\n\n';

const groups = Object.entries<Readonly<Record<string, Operation>>>(catalogue);
const kinds = Object.values<DescribedKind>(events);

const paramsName = ({ name }: Pick<CatalogueEntry, 'name'>) => `${pascalCase(name)}Params`;
const apiName = (group: string) => `${pascalCase(group)}Api`;
const eventName = ({ name }: DescribedKind) => `${pascalCase(name)}Event`;

/** The names that a file may import, by their home. */
const known = {
  '../catalogue/coordinates.ts': ['Coordinates'],
  '../catalogue/operation.ts': ['Described', 'CatalogueEntry'],
  '../client/call-promise.ts': ['CallPromise', 'PagePromise'],
  '../client/run.ts': ['CallOptions'],
  './event-envelope.ts': ['EventEnvelope'],
  '../catalogue/unknown-value.ts': ['UnknownValue'],
};

/** What one catalogue entry takes. */
function params(entry: CatalogueEntry): string {
  const free =
    entry.name === 'landingLink.create'
      ? [
          ...Object.entries(utmFields).map(([name, text]) => ({
            name: `${name}?`,
            text,
            type: 'string | undefined',
          })),
          { name: '[name: string]', text: textOf(entry.input), type: 'unknown' },
        ]
      : [];
  const all = [...members(entry.input), ...free].map(member);
  return interfaceOf(paramsName(entry), `What ${entry.title} takes.`, all);
}

/** The records of these entries, each kind once. */
function records(
  all: readonly CatalogueEntry[],
  text: (entry: CatalogueEntry) => string,
  choices?: ReadonlyMap<string, string>,
): string[] {
  const kindsOfRecord = new Map(all.map((entry) => [recordName(entry.output), entry] as const));
  return [...kindsOfRecord].map(([name, entry]) =>
    interfaceOf(name, text(entry), members(entry.output, choices).map(member)),
  );
}

function asSent({ output }: CatalogueEntry): string {
  const name = textOf(output).toLowerCase();
  const article = /^[aeio]/.test(name) ? 'An' : 'A';
  return `${article} ${name} as the service sends it. \`allFields\` also shows fields that are not listed here.`;
}

function methodOf(action: string, operation: Operation): string {
  const { description, section, scopes, responseShape, name } = operation;
  const any = scopes.map((scope) => `\`${scope}\``).join(' or ');
  const text = `${description} Section ${section}; scope ${any}.`;
  const isRecord = responseShape === 'record';
  const input = `params${isRecord ? '' : '?'}: ${paramsName(operation)}`;
  const result = `${isRecord ? 'CallPromise' : 'PagePromise'}<${recordName(operation.output)}>`;
  const [generic, checked] =
    name === 'landingLink.create'
      ? [`<Params extends ${paramsName(operation)}>`, 'params: Params & UtmNamesOf<Params>']
      : ['', input];
  return member({
    name: `${action}${generic}(${checked}, options?: CallOptions)`,
    text,
    type: result,
  });
}

function file(own: string, others: Readonly<Record<string, readonly string[]>> = {}): string {
  return head + importsFor(own, { ...known, ...others }) + own;
}

/** A resource: its methods, what they take, and its records. */
function resourceFile(group: string, operations: Readonly<Record<string, Operation>>): string {
  const all = Object.values(operations);
  const methods = Object.entries(operations).map(([action, one]) => methodOf(action, one));
  const text = all[0]?.resource.description ?? '';
  const parts = [
    interfaceOf(apiName(group), text, methods),
    ...all.map(params),
    ...records(all, asSent, choicesOf(all.map(({ input }) => input))),
  ];
  return file(parts.join('\n'), { './utm-names.ts': ['UtmNamesOf'] });
}

function compoundOperationsFile(): string {
  const all = Object.values<CatalogueEntry>(compoundOperations);
  const parts = [
    ...all.map(params),
    ...records(all, ({ title }) => `One result of ${title}.`),
    aliasOf(
      'CompoundOperations',
      'Every compound operation, by name.',
      all.map((entry) =>
        member({
          name: `readonly '${entry.name}'`,
          text: entry.description,
          type: `DescribedCompoundOperation<'${entry.name}', ${paramsName(entry)}, ${recordName(entry.output)}>`,
        }),
      ),
    ),
  ];
  return file(parts.join('\n'), {
    '../catalogue/operation.ts': ['DescribedCompoundOperation'],
    './screens.ts': ['Screen'],
  });
}

function eventsFile(): string {
  const parts = kinds.map((kind) => {
    const data = Object.entries(kind.sample).map(([name, value]) => {
      const text = kind.fields[name];
      if (!text) throw new Error(`The field ${name} of ${kind.name} has no text.`);
      return member({
        name: `readonly ${name}?`,
        text,
        type: `${typeof value} | null | undefined`,
      });
    });
    const described = kind.description.replace(/^Triggers/, 'Sent');
    return [
      interfaceOf(`${eventName(kind)} extends EventEnvelope`, described, [
        member({ name: 'readonly type', text: 'The name of the event.', type: `'${kind.name}'` }),
        member({
          name: 'readonly data',
          text: 'What happened. The specification shows no fields, so each may be missing; `allFields` shows others.',
          type: `${pascalCase(kind.name)}Data`,
        }),
      ]),
      interfaceOf(`${pascalCase(kind.name)}Data`, `The \`data\` of ${kind.name}.`, data),
    ].join('\n');
  });
  const union = kinds.map((kind) => `\n  | ${eventName(kind)}`).join('');
  const text = docstring('An event that this version of the package knows.');
  const named = aliasOf(
    'EventKinds',
    'Every kind of event by name.',
    kinds.map((kind) =>
      member({
        name: `readonly '${kind.name}'`,
        text: kind.description.replace(/^Triggers/, 'Sent'),
        type: `DescribedKind<'${kind.name}'>`,
      }),
    ),
  );
  return file([...parts, `${text}export type KnownEvent =${union};\n`, named].join('\n'), {
    '../catalogue/event-kind.ts': ['DescribedKind'],
  });
}

function indexFile(): string {
  const clients = groups.map(([group, operations]) => {
    const text = Object.values(operations)[0]?.resource.description ?? '';
    return member({ name: `readonly ${group}`, text, type: apiName(group) });
  });
  const operations = groups.flatMap(([, all]) => Object.values(all));
  const described = operations.map((one) =>
    member({
      name: `readonly '${one.name}'`,
      text: one.description,
      type: `Described<'${one.name}', ${paramsName(one)}, ${recordName(one.output)}, '${one.responseShape}'>`,
    }),
  );
  const own = [
    interfaceOf('Apis', 'One method for each operation, by resource.', clients),
    aliasOf('Operations', 'Every operation by name.', described),
  ].join('\n');
  const homes = groups.map(([group, all]) => {
    const names = Object.values(all).flatMap((one) => [paramsName(one), recordName(one.output)]);
    return [`./${kebabCase(group)}.ts`, [...new Set([apiName(group), ...names])].sort()] as const;
  });
  return file(own, Object.fromEntries(homes));
}

/** The files of the folder, by name. */
export function typeFiles(): Map<string, string> {
  return formatted(
    new Map([
      ...groups.map(
        ([group, all]) => [`${kebabCase(group)}.ts`, resourceFile(group, all)] as const,
      ),
      ['availability.ts', compoundOperationsFile()],
      ['events.ts', eventsFile()],
      ['index.ts', indexFile()],
    ]),
  );
}
