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
});
