import { describe, expect, it } from '@jest/globals';
import {
  definitionOf,
  type InputField,
  inputFieldsOf,
  type PlacedPart,
  visiblePartsOf,
} from '../zapier/app/definition.ts';
import { readPage } from './pages.ts';

const recipes = [
  'daily-availability-report',
  'landing-links-from-list',
  'paid-campaign-to-chat',
  'redeemed-coupon-to-spreadsheet',
  'screens-near-new-lead',
  'tell-chat-about-relay-problems',
  'thank-you-coupon-after-paid-campaign',
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
  'Storage by Zapier: Get Value': ['Value'],
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
    expect(['Gmail', 'Google Sheets', 'Slack', 'Storage by Zapier']).toContain(steps.at(-1)?.app);
  });

  it('are steps of the app: the first a trigger, all others an action or a search', async () => {
    const kinds = await Promise.all(
      ofApp.map(async (step) => {
        const { kind = 'missing' } = (await partOf(step)) ?? {};
        return `${step.event}: ${step === steps[0] ? kind : kind.replace(/creates|searches/, 'later')}`;
      }),
    );
    expect(kinds).toEqual(
      ofApp.map((step) => `${step.event}: ${step === steps[0] ? 'triggers' : 'later'}`),
    );
  });

  it('fill in fields that their forms have, all that are required, and choices that exist', async () => {
    const wrong: string[] = [];
    for (const step of ofApp) {
      const part = await partOf(step);
      const fields: InputField[] = part ? inputFieldsOf(part) : [];
      const always = (part?.operation.inputFields ?? []) as InputField[];
      const filled = step.rows.map(([field]) => field);
      for (const { required, label = '' } of always)
        if (required && !filled.includes(label)) wrong.push(`${step.event} leaves out ${label}`);
      for (const [name, value] of step.rows) {
        const field = fields.find(({ label }) => label === name.replace(/ → .*/, ''));
        if (!field && !settings[name]) wrong.push(`${step.event} has no ${name}`);
        const choices = field?.choices as readonly { label: string }[] | undefined;
        const offered = settings[name] ?? choices?.map(({ label }) => label);
        if (offered && !offered.includes(value)) wrong.push(`${name} has no choice ${value}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('pick fields that an earlier step outputs', async () => {
    const wrong: string[] = [];
    for (const [nth, { rows }] of steps.entries()) {
      const text = rows.flat().join();
      for (const [pill, number, label = ''] of text.matchAll(/\{\{(\d+)\. ([^}]+)\}\}/g)) {
        const step = steps[Number(number) - 1] as Step;
        const outputs = (await partOf(step))?.operation.outputFields?.map((field) => field.label);
        const all = [...(outputs ?? []), ...(otherOutputs[`${step.app}: ${step.event}`] ?? [])];
        if (Number(number) > nth || !all.includes(label)) wrong.push(`step ${nth + 1}: ${pill}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
