import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import zapierApp from 'zapier-screen-advertising';
import { createCommandLine } from '../../packages/cli/src/program.ts';
import type { Face, Faces } from './faces.ts';

/** Every field that a face offers, each as its step and its name, sorted. */
export async function offeredFields(face: Face, faces: Faces): Promise<string[]> {
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
