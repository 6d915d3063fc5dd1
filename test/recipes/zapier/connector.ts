import { definitionOf } from '../../zapier/app/definition.ts';
import type { RawRequest, ZapierRunner } from '../../zapier/app/runner.ts';
import type { InputField, Part, PlacedPart } from '../../zapier/definition-lint/definition.ts';
import type { Fields } from '../automation.ts';
import { fill, type Outputs, type Step, searchSettings } from './walkthrough.ts';

type Kind = 'triggers' | 'searches' | 'creates';
type Values = Record<string, unknown>;

const { whenNothingIsFound, whenMoreAreFound } = searchSettings;

/**
 * This project's app in a Zap: its own code on Zapier's core, with choices and fields set by label.
 */
export async function openConnector(runner: ZapierRunner) {
  const definition = await definitionOf('private');

  function find({ event, number }: Step, kinds: readonly Kind[]): PlacedPart {
    for (const kind of kinds) {
      const part = Object.values(definition[kind]).find(({ display }) => display.label === event);
      if (part && !part.display.hidden) {
        return { ...part, kind, place: `${kind}.${part.key}` };
      }
    }
    throw new Error(`Step ${number}: the app offers no "${event}".`);
  }

  /** The form as Zapier shows it once these values are in it. */
  async function formOf({ place }: PlacedPart, inputData: Values): Promise<InputField[]> {
    return (await runner.run(`${place}.operation.inputFields`, { inputData })) as InputField[];
  }

  return {
    /** The outputs of each run that a delivery to the trigger's address starts. */
    async trigger(step: Step, request: RawRequest): Promise<Outputs[]> {
      const part = find(step, ['triggers']);
      const records = await runner.hook(part.key, request);
      return records.map((record) => new Map([...unnamed(record), ...outputsOf(part, record)]));
    },

    /** The outputs of an action or a search; empty when the run ends because nothing matched. */
    async step(step: Step, earlier: readonly Outputs[]): Promise<Outputs | undefined> {
      const part = find(step, ['creates', 'searches']);
      const rows = step.rows.filter((row) => !isSetting(row));
      const input = await inputDataOf({ ...step, rows }, (given) => formOf(part, given), earlier);
      if (part.kind === 'creates') return outputsOf(part, await runner.create(part.key, input));
      return searched(step, part, await runner.search(part.key, input));
    },
  };
}

/** The input that Zapier sends the app for a form filled in by labels, as in the rows of a page. */
async function inputDataOf(
  { number, rows }: Pick<Step, 'number' | 'rows'>,
  formWith: (given: Values) => Promise<InputField[]>,
  earlier: readonly Outputs[],
): Promise<Fields> {
  const input: Values = {};
  for (const [place = '', text = ''] of rows) {
    const [label, name] = place.split(' → ');
    const field = (await formWith(input)).find((one) => one.label === label);
    if (!field) throw new Error(`Step ${number} has no field "${label}".`);
    const value = asZapierSends(field, fill(text, earlier));
    input[field.key] = name ? { ...(input[field.key] as Values), [name]: value } : value;
  }
  const missing = (await formWith(input)).filter(
    ({ required, key }) => required && input[key] === undefined,
  );
  if (missing.length > 0) {
    throw new Error(`Step ${number} leaves out ${missing.map(({ label }) => label).join(', ')}.`);
  }
  return input;
}

/** Sends a choice by its value, a number as a number. */
function asZapierSends({ choices, type }: InputField, value: unknown): unknown {
  if (Array.isArray(choices)) {
    const offered = choices as readonly { label: string; value: string }[];
    const chosen = offered.find(({ label }) => label === value);
    if (!chosen) throw new Error(`"${value}" is none of the choices.`);
    return chosen.value;
  }
  return type === 'number' || type === 'integer' ? Number(value) : value;
}

function searched({ rows }: Step, part: Part, found: readonly Values[]): Outputs | undefined {
  const settings = new Map(rows.filter(isSetting).map(([name, answer]) => [name, answer]));
  const [first] = found;
  if (!first) return settings.get(whenNothingIsFound) === 'Yes' ? outputsOf(part, {}) : undefined;
  const isGrouped = settings.get(whenMoreAreFound) === 'Return all results as line items';
  return isGrouped ? lineItemsOf(part, found) : outputsOf(part, first);
}

function isSetting([name]: readonly string[]): boolean {
  return name === whenNothingIsFound || name === whenMoreAreFound;
}

function outputsOf({ operation }: Part, record: Values): Outputs {
  return new Map(
    (operation.outputFields ?? []).map(({ key, label = key }) => [
      label,
      key.split('__').reduce<unknown>((value, name) => (value as Values)?.[name], record),
    ]),
  );
}

/** The fields of an event that the app does not name, as Zapier labels them once one has arrived. */
function unnamed({ data = {} }: { data?: unknown }): Outputs {
  const labelOf = (name: string) => `Data ${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return new Map(Object.entries(data as Values).map(([name, value]) => [labelOf(name), value]));
}

/** Each field then holds a list: its value in each of the records. */
function lineItemsOf(part: Part, records: readonly Values[]): Outputs {
  const each = records.map((record) => outputsOf(part, record));
  const labels = [...(each[0]?.keys() ?? [])];
  return new Map(labels.map((label) => [label, each.map((outputs) => outputs.get(label) ?? '')]));
}
