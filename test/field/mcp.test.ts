import { describe, expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { callTool } from '../mcp/support/call.ts';
import { connect } from '../mcp/support/connect.ts';
import { start } from '../sandbox/support/running-sandbox.ts';

describe('a model', () => {
  it.failing('means euros and gives 500 as budget_cents: hears that all screens cost more', async () => {
    const { baseUrl, full } = await start();
    const client = await connect(environment(baseUrl, full));
    const period = { from: '2027-03-01', to: '2027-03-31' };
    const { record } = await callTool(client, 'find_available_screens', {
      ...period,
      city: 'Berlin',
      budget_cents: 500,
    });
    expect(record).toMatchObject({ data: [], note: expect.stringMatching(/budget/) });
  });
});
