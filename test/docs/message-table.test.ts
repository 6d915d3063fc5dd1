import { describe, expect, it } from '@jest/globals';
import { messageTable, type Shown } from './message-table.ts';

const steps = ['Get Screen', 'Find Screen by ID', 'List Screens', 'Create Coupon'];

/** The rows of the table, without its head. */
const rowsOf = (shown: readonly Shown[]): string[] =>
  messageTable(['What', 'Steps', 'Text'], shown).split('\n').slice(2);

const allSteps = (what: string, text: (step: string) => string): Shown[] =>
  steps.map((step) => ({ step, what, texts: [text(step.replace(' by ID', ''))] }));

describe('the table of messages', () => {
  it('shows one row for a text in which only the step and its scope differ', () => {
    const scope = (step: string) => (step === 'Create Coupon' ? 'a:read or a:write' : 'b:read');
    expect(rowsOf(allSteps('No scope', (step) => `${step} needs ${scope(step)}.`))).toEqual([
      '| No scope | All | *Step* needs *scope*. |',
    ]);
  });

  it('shows the steps that differ before all others', () => {
    const shown = allSteps('Lost', (step) =>
      step === 'Create Coupon' ? 'It may exist.' : 'Retry.',
    );
    expect(rowsOf(shown)).toEqual([
      '| Lost | Create Coupon | It may exist. |',
      '| Lost | All others | Retry. |',
    ]);
  });

  it('names the steps if some cannot meet it', () => {
    const shown = allSteps('Empty', () => 'Fill it in.').slice(1);
    expect(rowsOf([...shown, ...allSteps('Lost', () => 'Retry.')])).toEqual([
      '| Empty | Find Screen by ID, List Screens, Create Coupon | Fill it in. |',
      '| Lost | All | Retry. |',
    ]);
  });

  it('merges what has the same text but for the status', () => {
    const shown = ['400', 'Too much (429)'].flatMap((what) =>
      allSteps(what, () => `Refused (${what.match(/\d+/)}).`),
    );
    expect(rowsOf(shown)).toEqual(['| 400, Too much (429) | All | Refused (*status*). |']);
    expect(rowsOf(shown.slice(0, 4))).toEqual(['| 400 | All | Refused (400). |']);
  });
});
