import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { compoundOperations } from '@screen-advertising/core/availability';
import { formFields } from '@screen-advertising/core/forms';
import { shownOperations } from '@screen-advertising/core/lead-coupons';
import type { INodeParameters } from 'n8n-workflow';
import { environment, typed } from '../cli/command.ts';
import { callTool } from '../mcp/support/call.ts';
import { connect } from '../mcp/support/connect.ts';
import { startWorld, type World } from '../n8n/world.ts';
import { root } from '../structure/project.ts';
import { createZapierRunner, readZapierError, type ZapierRunner } from '../zapier/app/zapier.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A field of one kind, as each face offers it. Its value is in the first request. */
interface Place {
  readonly field: string;
  readonly n8n: { readonly parameters: INodeParameters; readonly collection?: string };
  readonly zapier: readonly [step: string, others: Fields];
  readonly cli: readonly string[];
  readonly mcp: readonly [tool: string, others: Fields];
}

const lead = { lead_email: 'lead@example.com' };
const coupon = { ...lead, discount_type: 'percent', discount_value: 5 };
const couponOptions = ['call', 'coupon.create', '--lead_email', 'lead@example.com'];
const screens: Omit<Place, 'field'> = {
  n8n: { parameters: { resource: 'screen', operation: 'getAll' }, collection: 'filters' },
  zapier: ['searches.find_screen', { orientation: 'landscape' }],
  cli: ['call', 'screen.list'],
  mcp: ['list_screens', {}],
};
const requests: Omit<Place, 'field'> = {
  n8n: { parameters: { resource: 'campaignRequest', operation: 'getAll' }, collection: 'filters' },
  zapier: ['searches.find_campaign_request', { industry: 'retail' }],
  cli: ['call', 'campaignRequest.list'],
  mcp: ['list_campaign_requests', {}],
};
const create = (collection?: string, others: Fields = coupon): Omit<Place, 'field'> => ({
  n8n: {
    parameters: { resource: 'coupon', operation: 'create', ...others } as INodeParameters,
    ...(collection && { collection }),
  },
  zapier: ['creates.create_coupon', others],
  cli: [
    ...couponOptions,
    ...Object.entries(others)
      .filter(([name]) => name !== 'lead_email')
      .flatMap(([name, value]) => [`--${name}`, String(value)]),
  ],
  mcp: ['create_coupon', others],
});
const byUnit = (discount_type: string): Place => ({
  field: 'discount_value',
  ...create(undefined, { ...lead, discount_type }),
});
const screenId = 'scr_1';
const to = '2027-12-31';
const near = '52.5, 13.4';

const places: Readonly<Record<string, Place>> = {
  text: { field: 'city', ...screens },
  country: { field: 'country', ...screens },
  email: {
    field: 'email',
    n8n: { parameters: { resource: 'user', operation: 'lookUp', lookUpBy: 'email' } },
    zapier: ['searches.find_user', {}],
    cli: ['call', 'user.lookup'],
    mcp: ['look_up_user', {}],
  },
  coordinates: { field: 'near', ...screens, cli: ['find-nearby'] },
  kilometers: {
    field: 'radius_km',
    n8n: { parameters: { resource: 'screen', operation: 'getAll' }, collection: 'filters' },
    zapier: ['searches.find_screen', { near }],
    cli: ['find-nearby', '--near', near],
    mcp: ['list_screens', { near }],
  },
  code: { field: 'code', ...create('additionalFields') },
  integer: { field: 'max_redemptions', ...create('additionalFields') },
  percent: byUnit('percent'),
  cents: byUnit('amount_cents'),
  days: byUnit('free_days'),
  date: {
    field: 'from',
    n8n: { parameters: { resource: 'screen', operation: 'getAvailability', screenId, to } },
    zapier: ['searches.find_screen_availability', { screen_id: screenId, to }],
    cli: ['call', 'screen.availability', '--screenId', screenId, '--to', to],
    mcp: ['get_screen_availability', { screenId, to }],
  },
  moment: { field: 'from', ...requests },
  choice: { field: 'status', ...requests },
  json: { field: 'lead_metadata', ...create('additionalFields') },
};

const faces = ['n8n', 'zapier', 'cli', 'mcp'] as const;
type Face = (typeof faces)[number];

let world: World;
let zapier: ZapierRunner;
beforeAll(async () => {
  world = await startWorld({ clock: 'frozen', startAt: '2027-01-01T09:00:00Z', screens: 20 });
  const [{ apiKey }] = world.sandbox.accesses;
  zapier = createZapierRunner({ baseUrl: world.baseUrl, credentials: { apiKey } });
});
afterAll(() => world.stop());

let client: Client;
beforeEach(async () => {
  client = await connect(environment(world.baseUrl, world.sandbox.accesses[0]));
});

/** How a value arrives: written by a person, or computed from other data. */
type How = 'typed' | 'mapped' | 'absent';

/** The error of a run; undefined if it succeeded. */
const run: Readonly<
  Record<Face, (place: Place, given: unknown, how: How, zone: string) => Promise<unknown>>
> = {
  async n8n({ field, n8n: { parameters, collection } }, given, how, zone) {
    const written = how === 'mapped' ? '={{ $json.value }}' : given;
    const own = {
      ...(field === 'radius_km' && { near }),
      ...(how !== 'absent' && { [field]: written }),
    };
    const all = {
      authentication: 'apiKey',
      ...parameters,
      ...(collection ? { [collection]: own } : own),
    } as INodeParameters;
    world.engine.timezone = zone;
    const items = [how === 'mapped' && given !== undefined ? { value: given } : {}];
    const { error } = await world.run(all, { items: items as never });
    return error && `${error.message} ${(error as { description?: string }).description ?? ''}`;
  },
  async zapier({ field, zapier: [step, others] }, given, how, timezone) {
    const inputData = { ...others, ...(how !== 'absent' && { [field]: given }) };
    const raw = { ...inputData, ...(how === 'mapped' && { [field]: '{{1__value}}' }) };
    const bundle = { inputData, inputDataRaw: raw, meta: { timezone } };
    const found = await zapier.run(`${step}.operation.perform`, bundle).catch(readZapierError);
    return (found as { message?: string }).message;
  },
  async cli({ field, cli }, given, how) {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const args = how === 'absent' ? [] : [`--${field}=${text}`];
    const access = environment(world.baseUrl, world.sandbox.accesses[0]);
    const { code, errors } = await typed([...cli, ...args], access);
    return code === 0 ? undefined : errors;
  },
  async mcp({ field, mcp: [tool, others] }, given, how) {
    const own = how === 'absent' || given === undefined ? {} : { [field]: given };
    const { isError, text } = await callTool(client, tool, { ...others, ...own });
    return isError ? text : undefined;
  },
};

/** What the first request holds in the field: its value, nothing, or the refusal without a request. */
async function outcome(face: Face, place: Place, given: unknown, how: How, zone = 'UTC') {
  world.sandbox.reset();
  world.sandbox.journal.clear();
  const error = await run[face](place, given, how, zone).catch((thrown: Error) => thrown.message);
  const [first] = world.sandbox.journal.list().filter(({ path }) => !/oauth|token/.test(path));
  if (!first) return `✗ ${String(error ?? 'nothing is sent')}`;
  const { searchParams } = new URL(first.path, world.baseUrl);
  const body = JSON.parse(first.requestBody || '{}') as Fields;
  return searchParams.get(place.field) ?? body[place.field] ?? '—';
}

/** `[how, value, outcome, ...faces with another outcome]`. A refusal is a part of the message. */
type Row = readonly [How, unknown, unknown, Partial<Record<Face, unknown>>?];
type Table = Readonly<Record<string, readonly Row[]>>;
const tableFile = join(root, 'test/field/values.json');

const matches = (seen: unknown, wanted: unknown): unknown =>
  typeof wanted === 'string' && wanted.startsWith('✗ ') && String(seen).startsWith('✗ ')
    ? String(seen).includes(wanted.slice(2))
      ? wanted
      : seen
    : seen;

const table = JSON.parse(readFileSync(tableFile, 'utf8')) as Table;

describe.each(faces)('%s', (face) => {
  it.each(Object.keys(places))('reads %s as the table says', async (kind) => {
    const place = places[kind] as Place;
    const seen: unknown[] = [];
    const wanted: unknown[] = [];
    for (const [how, given, all, others = {}] of table[kind] ?? []) {
      // n8n takes metadata as rows of a name and a value: see n8n.values.test.ts.
      if (face === 'n8n' && kind === 'json') continue;
      // A terminal passes text only.
      if (
        face === 'cli' &&
        how !== 'absent' &&
        (typeof given !== 'string' || given === 'undefined')
      )
        continue;
      const expected = others[face] ?? all;
      const value = given === 'undefined' ? undefined : given;
      wanted.push([how, given, expected]);
      seen.push([how, given, matches(await outcome(face, place, value, how), expected)]);
    }
    if (face !== 'n8n' || kind !== 'json') expect(wanted.length).toBeGreaterThan(30);
    expect(seen).toEqual(wanted);
  });
});

/** The kind of a field, by what decides how it is read. */
function kindsOf({ type, unit }: ReturnType<typeof formFields>[number]): readonly string[] {
  if (typeof unit === 'object') return Object.values(unit.units);
  return [type === 'number' ? (unit ?? 'number') : type];
}

it('the table has each kind of field that the catalogue has', () => {
  const entries = [...shownOperations, ...Object.values(compoundOperations)];
  const kinds = new Set(entries.flatMap(formFields).flatMap(kindsOf));
  expect([...kinds].toSorted()).toEqual(Object.keys(places).toSorted());
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(places).toSorted());
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

  it.each(['n8n', 'zapier'] as const)('are the same in %s, typed or mapped', async (face) => {
    for (const [kind, byZone] of Object.entries({ date: asDays, moment: asMoments })) {
      for (const [zone, wanted] of Object.entries(byZone)) {
        for (const how of ['typed', 'mapped'] as const) {
          const seen: unknown[] = [];
          for (const form of forms) {
            seen.push(await outcome(face, places[kind] as Place, form, how, zone));
          }
          expect([kind, zone, how, ...seen]).toEqual([kind, zone, how, ...wanted]);
        }
      }
    }
  });
});
