import type { InputField, Part } from '../../zapier/definition-lint/definition.ts';
import type { Fields } from '../automation.ts';
import { fill, type Outputs } from './pills.ts';
import type { Step } from './walkthrough.ts';

type Values = Record<string, unknown>;

/** The input that Zapier sends the app for a form filled in by labels, as in the rows of a page. */
export function inputDataOf(
  { number, rows }: Pick<Step, 'number' | 'rows'>,
  { operation }: Part,
  earlier: readonly Outputs[],
): Fields {
  const fields = (operation.inputFields ?? []).filter((field) => typeof field !== 'string');
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
