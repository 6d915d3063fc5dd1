import { describe, expect, it } from '@jest/globals';
import { environment, typed } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';

describe('a user at a terminal', () => {
  it('pipes a table of screens into a script: its IDs are whole', async () => {
    const { sandbox, baseUrl, full } = await start({ screens: 0 });
    const id = 'b4a8a7a0-0000-4000-8000-000000000001';
    sandbox.screens.add({ id, name: 'Hauptbahnhof' });
    const { output } = await typed(['call', 'screen.list', '--table'], environment(baseUrl, full));
    expect(output).toContain(id);
  });

  it('runs the same line again: gets the coupon of the lead, and exits with 0', async () => {
    const { baseUrl, full } = await start();
    const fields = ['--discount_type=percent', '--discount_value=5', '--lead_email=a@example.com'];
    const line = ['call', 'coupon.create', ...fields];
    const runs = [];
    for (let run = 0; run < 2; run += 1) runs.push(await typed(line, environment(baseUrl, full)));
    const [first, again] = runs.map(({ output }) => JSON.parse(output));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(again).toMatchObject({ code: first.code, created: false });
  });
});
