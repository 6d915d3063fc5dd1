import type { Fields } from '../automation.ts';
import { fill, type Outputs, type Step } from './walkthrough.ts';

/** The result of a step that decides where a run goes; undefined when the run ends there. */
type Perform = (step: Step, earlier: readonly Outputs[]) => Outputs | undefined;

/** Steps of Zapier itself and of other apps that decide where a run goes, as the pages use them. */
export const deciding: Readonly<Record<string, Perform>> = {
  'Filter by Zapier: Only continue if': ({ rows }, earlier) => {
    const passes = alternatives(rows).some((conditions) =>
      conditions.every(([field = '', condition = '']) => meets(condition, fill(field, earlier))),
    );
    return passes ? new Map() : undefined;
  },

  'Formatter by Zapier: Utilities': (step, earlier) => {
    const fields = filled(step, earlier);
    const key = String(fields.get('Lookup Key') ?? '');
    return new Map([['Output', fields.get(`Lookup Table → ${key}`) ?? '']]);
  },

  /** The spreadsheet is empty. */
  'Google Sheets: Lookup Spreadsheet Row': (step, earlier) =>
    new Map([[String(filled(step, earlier).get('Lookup Column')), undefined]]),
};

/** What a step passes to another app: its fields, or one record for each of its line items. */
export function passedBy(step: Step, earlier: readonly Outputs[]): Fields[] {
  const fields = [...filled(step, earlier)];
  const [, first] = fields[0] ?? [];
  if (!Array.isArray(first)) return [Object.fromEntries(fields)];
  return first.map((_, index) =>
    Object.fromEntries(fields.map(([name, values]) => [name, (values as unknown[])[index]])),
  );
}

function filled({ rows }: Step, earlier: readonly Outputs[]): Map<string, unknown> {
  return new Map(rows.map(([name = '', text = '']) => [name, fill(text, earlier)]));
}

/** Conditions that must all hold, up to a row that begins with "or". */
function alternatives(rows: Step['rows']): string[][][] {
  const groups: string[][][] = [[]];
  for (const [field = '', ...rest] of rows) {
    const [, or, place = ''] = /^(or )?(.*)$/.exec(field) ?? [];
    if (or) groups.push([]);
    groups.at(-1)?.push([place, ...rest]);
  }
  return groups;
}

function meets(condition: string, value: unknown): boolean {
  const isThere = value !== undefined && value !== null && value !== '';
  if (condition === 'Exists') return isThere;
  if (condition === 'Does not exist') return !isThere;
  if (condition === '(Boolean) Is false') return value === false;
  throw new Error(`Filter by Zapier has no condition "${condition}".`);
}
