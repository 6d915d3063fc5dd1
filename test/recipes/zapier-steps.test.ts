import { describe, expect, it } from '@jest/globals';
import { definitionOf } from '../zapier/app/definition.ts';
import {
  type InputField,
  inputFieldsOf,
  type PlacedPart,
  visiblePartsOf,
} from '../zapier/definition-lint/definition.ts';
import { readPage } from './pages.ts';

const recipes = [
  'daily-availability-report',
  'landing-links-from-list',
  'paid-campaign-to-chat',
  'redeemed-coupon-to-spreadsheet',
  'screens-near-new-lead',
  'tell-chat-about-relay-problems',
  'welcome-coupon-for-referred-user',
  'win-back-after-rejected-request',
];

/** A step of a Zap as a page describes it: `### 2. App: Event`, and a table of its fields. */
interface Step {
  readonly number: string;
  readonly app: string;
  readonly event: string;
  /** Field and value. */
  readonly rows: readonly (readonly [field: string, value: string])[];
}

function stepsOf(recipe: string): Step[] {
  const [, zapier = ''] = readPage(recipe).split(/^## In Zapier$/m);
  const sections = zapier.split(/^### /m).slice(1);
  return sections.map((section) => {
    const [, number = '', app = '', event = ''] = /^(\d+)\. ([^:\n]+): (.+)$/m.exec(section) ?? [];
    const lines = section.split('\n').filter((line) => line.startsWith('|'));
    const rows = lines.slice(2).map((line): [string, string] => {
      const [, field = '', value = ''] = line.replaceAll('`', '').split('|');
      return [field.trim(), value.trim()];
    });
    return { number, app, event, rows };
  });
}

/** Zapier's own questions below the fields of a search, with what one may choose. */
const settings: Readonly<Record<string, readonly string[]>> = {
  'Should this step be considered a "success" when nothing is found?': ['Yes', 'No'],
  'If multiple search results are found': [
    'Return all results as line items',
    'Return first search result',
  ],
};

/** What steps of other apps output, and what an event shows once one has arrived. */
const otherOutputs: Readonly<Record<string, readonly string[]>> = {
  'Google Sheets: New Spreadsheet Row': ['Campaign', 'Content', 'Link', 'Row Number'],
  'Google Sheets: Lookup Spreadsheet Row': ['Event ID'],
  'Formatter by Zapier: Utilities': ['Output'],
  'Screen Advertising: Campaign Request Created': ['Data City'],
};

describe.each(recipes)('the steps of %s in Zapier', (recipe) => {
  const steps = stepsOf(recipe);
  const ofApp = steps.filter(({ app }) => app === 'Screen Advertising');

  async function partOf({ event }: Step): Promise<PlacedPart | undefined> {
    const parts = visiblePartsOf(await definitionOf('private'));
    return parts.find(({ display }) => display.label === event);
  }

  it('are numbered, and end where another app takes over', () => {
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, nth) => String(nth + 1)));
    expect(['Gmail', 'Google Sheets', 'Slack']).toContain(steps.at(-1)?.app);
  });

  it('are steps of the app: the first a trigger, all others an action or a search', async () => {
    for (const step of ofApp) {
      const kinds = step === steps[0] ? ['triggers'] : ['creates', 'searches'];
      expect([step.event, kinds]).toEqual([
        step.event,
        expect.arrayContaining([(await partOf(step))?.kind]),
      ]);
    }
  });

  it('fill in fields that their forms have, all that are required, and choices that exist', async () => {
    for (const step of ofApp) {
      const part = await partOf(step);
      const fields: InputField[] = part ? inputFieldsOf(part) : [];
      const always = (part?.operation.inputFields ?? []) as InputField[];
      const required = always.flatMap((field) => (field.required ? [field.label] : []));
      expect(step.rows.map(([field]) => field)).toEqual(expect.arrayContaining(required));
      for (const [name, value] of step.rows.filter(([field]) => !settings[field])) {
        const field = fields.find(({ label }) => label === name.replace(/ → .*/, ''));
        expect([step.event, name, field]).toEqual([step.event, name, expect.anything()]);
        const choices = field?.choices as readonly { label: string }[] | undefined;
        if (choices) expect(choices.map(({ label }) => label)).toContain(value);
      }
      for (const [field, value] of step.rows.filter(([name]) => settings[name])) {
        expect(settings[field]).toContain(value);
      }
    }
  });

  it('pick fields that an earlier step outputs', async () => {
    for (const [nth, { rows }] of steps.entries()) {
      for (const [, number, label] of rows
        .flat()
        .join()
        .matchAll(/\{\{(\d+)\. ([^}]+)\}\}/g)) {
        const step = steps[Number(number) - 1] as Step;
        const outputs = (await partOf(step))?.operation.outputFields?.map((field) => field.label);
        const others = otherOutputs[`${step.app}: ${step.event}`] ?? [];
        expect(Number(number)).toBeLessThanOrEqual(nth);
        expect([...(outputs ?? []), ...others]).toContain(label);
      }
    }
  });
});
