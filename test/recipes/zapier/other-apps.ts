import type { Fields } from '../automation.ts';
import { fill, type Outputs, type Step, searchSettings } from './walkthrough.ts';

/** The spreadsheet of a Zap, and what its last step passed to the other app. */
export interface Desk {
  readonly sheet: Record<string, unknown>[];
  readonly handedOver: Fields[];
}

/** The result of a step; undefined when the run ends there. */
type Perform = (step: Step, earlier: readonly Outputs[], desk: Desk) => Outputs | undefined;

/** The Zapier built-ins and other apps that the pages use, reduced to what the pages need. */
export const otherApps: Readonly<Record<string, Perform>> = {
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

  'Gmail: Send Email': (step, earlier, { handedOver }) => {
    handedOver.push(Object.fromEntries(filled(step, earlier)));
    return new Map();
  },

  'Slack: Send Channel Message': (step, earlier, { handedOver }) => {
    handedOver.push(Object.fromEntries(filled(step, earlier)));
    return new Map();
  },

  'Google Sheets: Lookup Spreadsheet Row': (step, earlier, { sheet }) => {
    const fields = filled(step, earlier);
    const column = String(fields.get('Lookup Column'));
    const found = sheet.find((row) => row[column] === fields.get('Lookup Value'));
    const goesOn = found ?? fields.get(searchSettings.whenNothingIsFound) === 'Yes';
    return goesOn ? new Map([[column, found?.[column]]]) : undefined;
  },

  'Google Sheets: Create Spreadsheet Row': (step, earlier, { sheet, handedOver }) => {
    const row = Object.fromEntries(filled(step, earlier));
    sheet.push(row);
    handedOver.push(row);
    return new Map();
  },

  'Google Sheets: Create Multiple Spreadsheet Rows': (step, earlier, { sheet, handedOver }) => {
    const columns = [...filled(step, earlier)];
    const [, first] = columns[0] ?? [];
    const rows = listOf(first).map((_, index) =>
      Object.fromEntries(columns.map(([column, values]) => [column, listOf(values)[index]])),
    );
    sheet.push(...rows);
    handedOver.push(...rows);
    return new Map();
  },

  'Google Sheets: Update Spreadsheet Row': (step, earlier, { sheet, handedOver }) => {
    const { Row: number, ...columns } = Object.fromEntries(filled(step, earlier));
    const row = sheet[Number(number) - 1];
    if (!row) throw new Error(`The spreadsheet has no row ${number}.`);
    Object.assign(row, columns);
    handedOver.push({ ...row });
    return new Map();
  },
};

/** The fields that a new spreadsheet row offers to later steps. */
export function rowOutputs(row: Fields, number: number): Outputs {
  return new Map<string, unknown>([['Row Number', number], ...Object.entries(row)]);
}

function filled({ rows }: Step, earlier: readonly Outputs[]): Map<string, unknown> {
  return new Map(rows.map(([name = '', text = '']) => [name, fill(text, earlier)]));
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`"${value}" is no list of line items.`);
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
