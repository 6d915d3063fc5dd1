import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import zapierApp from 'zapier-screen-advertising';
import { createCommandLine } from '../../packages/cli/src/program.ts';
import { root } from '../structure/project.ts';
import { tier } from '../support/tier.ts';
import { type Face, Faces, type Field, faces, type How } from './faces.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `[how, value, outcome, ...faces with another outcome]`. A refusal is a part of the message. */
type Row = readonly [How, unknown, unknown, Partial<Record<Face, unknown>>?];

/** Like another one, or `*` for all, except for these values; `empty` is all that came out empty. */
type Reading = {
  readonly like?: string;
  readonly '*'?: unknown;
  readonly empty?: unknown;
} & Fields;

/** What a step needs beside each of its fields, and how it reads them: a kind or a reading. */
interface Step {
  readonly others?: Fields;
  readonly fields: Readonly<Record<string, string | readonly [reading: string, others: Fields]>>;
}

interface Table {
  readonly kinds: Readonly<Record<string, readonly Row[]>>;
  readonly readings: Readonly<Record<string, Reading>>;
  readonly fields: Readonly<Record<Face, Readonly<Record<string, Step>>>>;
}

const { kinds, readings, fields } = JSON.parse(
  readFileSync(join(root, 'test/field/values.json'), 'utf8'),
) as Table;

const arrivals = (kinds.text ?? []).map(([how, given]) => ({
  how,
  given: given === 'undefined' ? undefined : given,
  name:
    how === 'absent' ? how : `${given === '' && how === 'typed' ? 'typed ' : ''}${written(given)}`,
}));

function written(given: unknown): string {
  return given === 'undefined' ? given : JSON.stringify(given);
}

/** What the table says of all arrivals, in their order. */
function column(name: string, face: Face): readonly unknown[] {
  const rows = kinds[name]?.map(([, , all, others = {}]) => others[face] ?? all);
  if (rows) return rows;
  const { like, '*': otherwise, empty, ...own } = readings[name] ?? {};
  const base = like === undefined ? arrivals.map(() => otherwise) : column(like, face);
  return arrivals.map(({ how, name: arrival }, nth) => {
    if (arrival in own) return own[arrival];
    const isEmptied = empty !== undefined && how === 'mapped' && emptied.has(arrival);
    return isEmptied ? empty : base[nth];
  });
}

/** What a value that came out empty arrives as. */
const emptied = new Set(['undefined', 'null', '""', '" \\n"', '"\u200b\u00a0"', '[]', '{}']);

/** How a value arrives at a face; undefined if it cannot. */
function arrivalAt(face: Face, step: string, { how, given }: (typeof arrivals)[number]) {
  // A terminal passes text only, and nothing can be mapped into the first step of a Zap.
  if (face === 'cli' && how !== 'absent' && typeof given !== 'string') return undefined;
  if (face !== 'zapier' || !step.startsWith('triggers.') || how !== 'mapped') return how;
  return given === undefined ? undefined : 'typed';
}

/** What a step needs beside a field, of which a part may belong to the field. */
function merged(others: Fields = {}, own: Fields = {}): Fields {
  const inner = (value: unknown, name: string) =>
    typeof value === 'object' && value !== null ? { ...(others[name] as Fields), ...value } : value;
  const added = Object.entries(own).map(([name, value]) => [name, inner(value, name)]);
  return { ...others, ...Object.fromEntries(added) };
}

const matches = (seen: unknown, wanted: unknown): unknown =>
  typeof wanted === 'string' && wanted.startsWith('✗ ') && String(seen).startsWith('✗ ')
    ? String(seen).includes(wanted.slice(2))
      ? wanted
      : seen
    : seen;

let all: Faces;
beforeAll(async () => {
  all = await Faces.start();
});
afterAll(() => all.stop());

describe.each(faces)('%s', (face) => {
  it('has each field of its steps in the table', async () => {
    const known = Object.entries(fields[face]).map(
      ([step, { fields: own }]) => [step.replace(/ # .*/, ''), Object.keys(own)] as const,
    );
    const inTable = known.flatMap(([step, names]) => names.map((name) => `${step} ${name}`));
    const isOfStep = (field: string) => known.some(([step]) => field.startsWith(`${step} `));
    const offered = await offeredFields(face, all);
    expect(offered.filter(isOfStep)).toEqual([...new Set(inTable)].toSorted());
  });

  const steps = Object.entries(fields[face]);
  it.each(steps)(
    'reads the fields of %s as the table says',
    async (step, { others, fields: of }) => {
      const seen: unknown[] = [];
      const wanted: unknown[] = [];
      for (const [nthField, [field, place]] of Object.entries(of).entries()) {
        const [reading, own] = typeof place === 'string' ? [place, {}] : place;
        const expected = column(reading, face);
        const of: Field = { step, field, others: merged(others, own) };
        for (const [nth, arrival] of arrivals.entries()) {
          const how = arrivalAt(face, step, arrival);
          // Each commit runs every fifth value of each field, with others for the next field.
          if (how === undefined || (tier !== 'nightly' && (nth + nthField) % 5 !== 0)) continue;
          const outcome = await all.outcome(face, of, { given: arrival.given, how, zone: 'UTC' });
          wanted.push([field, arrival.name, expected[nth]]);
          seen.push([field, arrival.name, matches(outcome, expected[nth])]);
        }
      }
      expect(wanted.length).toBeGreaterThan(1);
      expect(seen).toEqual(wanted);
    },
  );
});

describe('five forms of a day in four zones', () => {
  const forms = [
    '2027-03-31',
    '31.03.2027',
    '2027-03-31T00:00:00Z',
    '2027-03-30T22:00:00Z',
    '2027-03-31T00:00:00+02:00',
  ];
  const asDays = {
    UTC: ['2027-03-31', '2027-03-31', '2027-03-31', '2027-03-30', '2027-03-30'],
    'Europe/Vienna': ['2027-03-31', '2027-03-31', '2027-03-31', '2027-03-31', '2027-03-31'],
    'America/Los_Angeles': ['2027-03-31', '2027-03-31', '2027-03-31', '2027-03-30', '2027-03-30'],
    'Asia/Tokyo': ['2027-03-31', '2027-03-31', '2027-03-31', '2027-03-31', '2027-03-31'],
  };
  const [evening, midnight] = ['2027-03-30T22:00:00Z', '2027-03-31T00:00:00+02:00'];
  const asMoments = {
    UTC: ['2027-03-31', '2027-03-31', '2027-03-31', evening, midnight],
    // Only here is the last one written in the time zone of its midnight.
    'Europe/Vienna': ['2027-03-31', '2027-03-31', '2027-03-31', evening, '2027-03-31'],
    'America/Los_Angeles': ['2027-03-31', '2027-03-31', '2027-03-31', evening, midnight],
    'Asia/Tokyo': ['2027-03-31', '2027-03-31', '2027-03-31', evening, midnight],
  };
  const availability = { to: '2027-12-31' };
  const days: Readonly<Record<'n8n' | 'zapier', Field>> = {
    n8n: {
      step: 'screen.getAvailability',
      field: 'from',
      others: { screenId: 'scr_1', ...availability },
    },
    zapier: {
      step: 'searches.find_screen_availability',
      field: 'from',
      others: { screen_id: 'scr_1', ...availability },
    },
  };
  const moments: typeof days = {
    n8n: { step: 'campaignRequest.getAll', field: 'filters.from', others: {} },
    zapier: { step: 'searches.find_campaign_request', field: 'from', others: {} },
  };

  it.each(['n8n', 'zapier'] as const)('are the same in %s, typed or mapped', async (face) => {
    for (const [places, byZone] of [
      [days, asDays],
      [moments, asMoments],
    ] as const) {
      for (const [zone, wanted] of Object.entries(byZone)) {
        for (const how of ['typed', 'mapped'] as const) {
          const seen: unknown[] = [];
          for (const given of forms) {
            seen.push(await all.outcome(face, places[face], { given, how, zone }));
          }
          expect([zone, how, ...seen]).toEqual([zone, how, ...wanted]);
        }
      }
    }
  });
});

/** Every field that a face offers, each as its step and its name, sorted. */
async function offeredFields(face: Face, faces: Faces): Promise<string[]> {
  const found = { n8n: inN8n, zapier: inZapier, cli: inShell, mcp: byAgents }[face];
  return [...new Set(await found(faces))].toSorted();
}

/** n8n.values.test.ts has rows of names and values. Agents choose fields of the output. */
const asRows = /lead_metadata$| fields$/;
const ofAgents = ({ displayOptions }: INodeProperties): boolean =>
  displayOptions?.show?.['@tool'] !== undefined;
/** They choose the form. */
const choices = /^(authentication|resource|operation|delivery)$/;

async function inN8n({ nodes }: Faces): Promise<string[]> {
  const steps: Readonly<Record<string, string>> = {
    screenAdvertisingTrigger: 'webhook trigger',
    screenAdvertisingPollingTrigger: 'polling trigger',
  };
  return [...nodes].flatMap(([type, properties]) =>
    properties
      .filter((property) => !ofAgents(property) && !choices.test(property.name))
      .flatMap((property) => {
        const { resource = [''], operation = [''] } = property.displayOptions?.show ?? {};
        const names = namesOf(property, '');
        return resource.flatMap((one) =>
          operation.flatMap((other) =>
            names.map((name) => `${steps[type] ?? `${String(one)}.${String(other)}`} ${name}`),
          ),
        );
      })
      .filter((name) => !asRows.test(name)),
  );
}

function namesOf({ name, type, options, typeOptions }: INodeProperties, start: string): string[] {
  const path = `${start}${name}`;
  if (type === 'notice') return [];
  const inner = (properties: readonly INodeProperties[], under: string) =>
    properties.flatMap((property) => namesOf(property, `${under}.`));
  if (type === 'collection') return inner(options as INodeProperties[], path);
  if (type !== 'fixedCollection' || typeOptions?.multipleValues) return [path];
  return (options as INodePropertyCollection[]).flatMap((one) =>
    inner(one.values, `${path}.${one.name}`),
  );
}

type InputField = { readonly key: string } | ((z: unknown, bundle: object) => unknown);
type Steps = Readonly<Record<string, { operation: { inputFields?: readonly InputField[] } }>>;

/** With every field that appears once another is filled in. */
async function inZapier(): Promise<string[]> {
  const filled = { area: 'place', near: '1, 2', radius_km: '1', bbox: '1', qr_code: 'png' };
  const app = zapierApp as unknown as Readonly<Record<string, Steps>>;
  const all = ['searches', 'creates', 'triggers'].flatMap((group) =>
    Object.entries(app[group] ?? {}).map(async ([key, { operation }]) => {
      const shown = (operation.inputFields ?? []).map((field) =>
        typeof field === 'function' ? field({}, { inputData: filled }) : field,
      );
      const fields = (await Promise.all(shown)).flat() as { readonly key: string }[];
      return fields.filter((one) => one.key !== 'area').map((one) => `${group}.${key} ${one.key}`);
    }),
  );
  return (await Promise.all(all)).flat();
}

/** Options of the output, and of a file of rows. */
const ofOutput = /^(table|csv|fields|file|results|qr|field)$/;

async function inShell(): Promise<string[]> {
  const output = { write: async () => undefined, writeError: () => undefined };
  const files = { writeFile: async () => undefined, appendFile: async () => undefined };
  const root = createCommandLine({ version: '1.2.3', ...output, ...files }, async () => undefined);
  const commands = root.commands.flatMap((command) =>
    command.name() === 'call'
      ? command.commands.map((one) => [`call ${one.name()}`, one] as const)
      : [[command.name(), command] as const],
  );
  return commands.flatMap(([name, { options }]) =>
    options
      .map((option) => option.name())
      .filter((option) => !ofOutput.test(option))
      .map((option) => `${name} ${option}`),
  );
}

async function byAgents(faces: Faces): Promise<string[]> {
  return (await faces.tools()).flatMap(({ name, inputSchema: { properties = {} } }) =>
    Object.keys(properties).map((field) => `${name} ${field}`),
  );
}
