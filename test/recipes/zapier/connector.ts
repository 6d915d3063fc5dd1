import { definitionOf } from '../../zapier/app/definition.ts';
import type { RawRequest, ZapierRunner } from '../../zapier/app/runner.ts';
import type { InputField, Part } from '../../zapier/definition-lint/definition.ts';
import type { Fields } from '../automation.ts';
import { fill, type Outputs } from './pills.ts';
import { type Step, whenNothingIsFound } from './walkthrough.ts';

type Kind = 'triggers' | 'searches' | 'creates';
type Values = Record<string, unknown>;

/** The app of this project in a Zap: its own code on Zapier's core, chosen and filled by labels. */
export type Connector = Awaited<ReturnType<typeof openConnector>>;

export async function openConnector(runner: ZapierRunner) {
  const definition = await definitionOf('private');

  function find({ event, number }: Step, kinds: readonly Kind[]): readonly [Kind, Part] {
    for (const kind of kinds) {
      const part = Object.values(definition[kind]).find(({ display }) => display.label === event);
      if (part && !part.display.hidden) return [kind, part];
    }
    throw new Error(`Step ${number}: the app offers no "${event}".`);
  }

  return {
    /** The outputs of each run that a delivery to the trigger's address starts. */
    async trigger(step: Step, request: RawRequest): Promise<Outputs[]> {
      const [, part] = find(step, ['triggers']);
      const records = await runner.hook(part.key, request);
      return records.map((record) => outputsOf(part, record));
    },

    /** The outputs of an action or a search; none when the run ends because nothing was found. */
    async step(step: Step, earlier: readonly Outputs[]): Promise<Outputs | undefined> {
      const [kind, part] = find(step, ['creates', 'searches']);
      const settings = step.rows.filter(([label]) => label === whenNothingIsFound);
      const input = inputOf(
        step,
        part,
        earlier,
        step.rows.filter((row) => !settings.includes(row)),
      );
      if (kind === 'creates') return outputsOf(part, await runner.create(part.key, input));
      const [first] = await runner.search(part.key, input);
      const goesOn = settings.some(([, answer]) => answer === 'Yes');
      return first || goesOn ? outputsOf(part, first ?? {}) : undefined;
    },
  };
}

function inputOf(
  { number }: Step,
  part: Part,
  earlier: readonly Outputs[],
  rows: Step['rows'],
): Fields {
  const fields = (part.operation.inputFields ?? []).filter((field) => typeof field !== 'string');
  const input: Values = {};
  for (const [place = '', text = ''] of rows) {
    const [label, name] = place.split(' → ');
    const field = fields.find((one) => one.label === label);
    if (!field) throw new Error(`Step ${number} has no field "${label}".`);
    const value = asZapierSends(field, fill(text, earlier));
    input[field.key] = name ? { ...(input[field.key] as Values), [name]: value } : value;
  }
  const missing = fields.filter(({ required, key }) => required && input[key] === undefined);
  if (missing.length > 0) {
    throw new Error(`Step ${number} leaves out ${missing.map(({ label }) => label).join(', ')}.`);
  }
  return input;
}

/** Zapier sends a choice by its value, and a number as one. */
function asZapierSends({ choices, type }: InputField, value: unknown): unknown {
  if (Array.isArray(choices)) {
    const offered = choices as readonly { label: string; value: string }[];
    const chosen = offered.find(({ label }) => label === value);
    if (!chosen) throw new Error(`"${value}" is none of the choices.`);
    return chosen.value;
  }
  if (type === 'datetime') return moved(String(value));
  return type === 'number' || type === 'integer' ? Number(value) : value;
}

/** A date field understands `{{zap_meta_human_now}} +7d`: the time of the run, and days to add. */
function moved(text: string): string {
  const [, days] = /^\{\{zap_meta_human_now\}\} \+(\d+)d$/.exec(text) ?? [];
  if (!days) return text;
  return new Date(Date.now() + Number(days) * 86_400_000).toISOString();
}

function outputsOf({ operation }: Part, record: Values): Outputs {
  return new Map(
    (operation.outputFields ?? []).map(({ key, label = key }) => [
      label,
      key.split('__').reduce<unknown>((value, name) => (value as Values)?.[name], record),
    ]),
  );
}
