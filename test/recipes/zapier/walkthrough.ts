import { readFileSync } from 'node:fs';
import path from 'node:path';

export const pagesFolder = path.join(import.meta.dirname, '../../../docs/recipes');

/** A step of a Zap as a page describes it. */
export interface Step {
  readonly number: number;
  /** Such as `Google Sheets`. */
  readonly app: string;
  /** The event or action of the app, such as `Create Spreadsheet Row`. */
  readonly event: string;
  /** The rows of the step's table without its header: the value of each field. */
  readonly rows: readonly (readonly string[])[];
}

/** Zapier's questions below the fields of a search, verbatim. */
export const searchSettings = {
  whenNothingIsFound: 'Should this step be considered a "success" when nothing is found?',
  whenMoreAreFound: 'If multiple search results are found',
} as const;

export function readPage(recipe: string): string {
  return readFileSync(path.join(pagesFolder, `${recipe}.md`), 'utf8');
}

/**
 * The steps under "In Zapier": each a heading `### 2. App: Event` and a table of its fields. Text
 * around the tables is for people only.
 */
export function stepsOf(page: string): Step[] {
  const [, zapier = ''] = page.split(/^## In Zapier$/m);
  const [own = ''] = zapier.split(/^## /m);
  return own
    .split(/^### /m)
    .slice(1)
    .map((section, index) => {
      const [heading = '', ...lines] = section.split('\n');
      const [, number, app, event] = /^(\d+)\. ([^:]+): (.+)$/.exec(heading) ?? [];
      if (Number(number) !== index + 1 || !app || !event) {
        throw new Error(`"${heading}" is not step ${index + 1} as "1. App: Event".`);
      }
      return { number: index + 1, app, event, rows: tableRows(lines) };
    });
}

function tableRows(lines: readonly string[]): string[][] {
  const rows = lines.filter((line) => line.startsWith('|')).map(cells);
  return rows.slice(2);
}

/** Code marks keep Markdown from interpreting a value, but do not belong to it. */
function cells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));
}

/** The output of a step, by the names that Zapier shows for its fields. */
export type Outputs = ReadonlyMap<string, unknown>;

const pill = /\{\{(\d+)\. ([^}]+)\}\}/g;

/**
 * The value of a field in which a person wrote text and picked fields of earlier steps, such as
 * `WELCOME-{{2. User ID}}`. A single picked field keeps its type. Throws for a field that no step
 * offers.
 */
export function fill(text: string, outputs: readonly Outputs[]): unknown {
  const chosen = (number: string, label: string): unknown => {
    const step = outputs[Number(number) - 1];
    if (!step?.has(label)) {
      const offered = [...(step?.keys() ?? [])].join(', ') || 'nothing';
      throw new Error(`Step ${number} offers no field "${label}", but ${offered}.`);
    }
    return step.get(label) ?? '';
  };
  const [alone] = text.matchAll(pill);
  const [whole, number = '', label = ''] = alone ?? [];
  if (whole === text) return chosen(number, label);
  return text.replace(pill, (_match, ...groups: string[]) =>
    String(chosen(groups[0] ?? '', groups[1] ?? '')),
  );
}
