import { type Operation, operations } from '@screen-advertising/core';
import { type CatalogueEntry, compoundOperations } from '@screen-advertising/core/availability';
import { formFields } from '@screen-advertising/core/forms';
import type { INodeParameters } from 'n8n-workflow';
import { typed } from '../../cli/command.ts';
import { callTool } from '../../mcp/support/call.ts';
import { connect } from '../../mcp/support/connect.ts';
import { Engine } from '../../n8n/engine/engine.ts';
import { createZapierRunner } from '../../zapier/app/runner.ts';
import { readZapierError } from '../../zapier/app/zapier-error.ts';

export type Input = Readonly<Record<string, string>>;

/** The names of a catalogue entry on the platforms. */
interface Names {
  readonly n8n: string;
  readonly zapier: readonly ['search' | 'create', string];
  readonly shell: readonly string[];
}

const named = {
  'coupon.create': {
    n8n: 'coupon create additionalFields',
    zapier: ['create', 'create_coupon'],
    shell: ['call', 'coupon.create'],
  },
  'screen.list': {
    n8n: 'screen getAll filters',
    zapier: ['search', 'find_screen'],
    shell: ['call', 'screen.list'],
  },
  'screen.findAvailable': {
    n8n: 'screen findAvailable filters',
    zapier: ['search', 'find_available_screens'],
    shell: ['find-available'],
  },
  'screen.availability': {
    n8n: 'screen getAvailability filters',
    zapier: ['search', 'get_screen_availability'],
    shell: ['call', 'screen.availability'],
  },
  'user.lookup': {
    n8n: 'user lookUp filters',
    zapier: ['search', 'find_user'],
    shell: ['call', 'user.lookup'],
  },
  'campaignRequest.list': {
    n8n: 'campaignRequest getAll filters',
    zapier: ['search', 'find_campaign_request'],
    shell: ['call', 'campaignRequest.list'],
  },
} as const satisfies Record<string, Names>;

export type CompoundOperationName = keyof typeof named;

const all: readonly CatalogueEntry[] = [
  ...Object.values<Operation>(operations),
  ...Object.values(compoundOperations),
];

const taskOf = (name: CompoundOperationName): CatalogueEntry => {
  const task = all.find((one) => one.name === name);
  if (!task) throw new Error(`The catalogue has no ${name}.`);
  return task;
};

export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Enters the input as a person does, and resolves with the error that the person reads, if any. */
export type Player = (
  access: Access,
  name: CompoundOperationName,
  input: Input,
) => Promise<string | undefined>;

async function n8n(
  access: Access,
  name: CompoundOperationName,
  input: Input,
): Promise<string | undefined> {
  const engine = await Engine.start({ screenAdvertisingApi: { ...access } });
  const [resource = '', operation = '', collection = ''] = named[name].n8n.split(' ');
  const isRequired = new Map(formFields(taskOf(name)).map((field) => [field.name, field.required]));
  const entries = Object.entries(input);
  const own = (wanted: boolean) =>
    Object.fromEntries(entries.filter(([field]) => isRequired.get(field) === wanted));
  const { screenId, ...required } = own(true);
  const lookUp = name === 'user.lookup' && { lookUpBy: entries[0]?.[0] ?? '', ...own(false) };
  const parameters: INodeParameters = {
    ...{ resource, operation, ...required, [collection]: own(false), ...lookUp },
    ...(screenId && { screenId: { __rl: true, mode: 'id', value: screenId } }),
  };
  const { error } = await engine.runNode({ type: 'screenAdvertising', parameters });
  return error && `${error.message} ${error.description ?? ''}`;
}

async function zapier(
  access: Access,
  name: CompoundOperationName,
  input: Input,
): Promise<string | undefined> {
  const { baseUrl, apiKey } = access;
  const runner = createZapierRunner({ baseUrl, credentials: { apiKey } });
  const [kind, key] = named[name].zapier;
  const result = await runner[kind](key, { ...input }).catch(readZapierError);
  return (result as { message?: string }).message;
}

const environment = ({ baseUrl, apiKey }: Access) => ({
  SCREEN_ADVERTISING_BASE_URL: baseUrl,
  SCREEN_ADVERTISING_API_KEY: apiKey,
});

async function mcp(
  access: Access,
  name: CompoundOperationName,
  input: Input,
): Promise<string | undefined> {
  const client = await connect(environment(access));
  const tool = taskOf(name).title.toLowerCase().replaceAll(' ', '_');
  const { text, isError } = await callTool(client, tool, typedInput(name, input));
  return isError ? text : undefined;
}

/** A model sends numbers as numbers, if it can. */
function typedInput(name: CompoundOperationName, input: Input): Record<string, unknown> {
  const isNumber = new Map(
    formFields(taskOf(name)).map((field) => [field.name, /number|integer/.test(field.type)]),
  );
  const typedValue = (field: string, value: string) =>
    isNumber.get(field) && Number.isFinite(Number(value)) ? Number(value) : value;
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, typedValue(field, value)]),
  );
}

async function shell(
  access: Access,
  name: CompoundOperationName,
  input: Input,
): Promise<string | undefined> {
  const fields = Object.entries(input).map(([field, value]) => `--${field}=${value}`);
  const { code, errors } = await typed([...named[name].shell, ...fields], environment(access));
  return code === 0 ? undefined : errors;
}

/** People fill in the forms of the first two; programs use the names and units of the service. */
export const players: readonly (readonly [string, 'form' | 'program', Player])[] = [
  ['n8n', 'form', n8n],
  ['Zapier', 'form', zapier],
  ['an assistant', 'program', mcp],
  ['a shell', 'program', shell],
];
