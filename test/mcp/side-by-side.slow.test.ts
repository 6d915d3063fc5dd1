import { expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import type { List } from './support/call.ts';
import { connect } from './support/connect.ts';

// Their 1,900 requests are three times the rate limit of a minute.
it('four searches of 480 screens, 150 ms a request, all return within 50 s', async () => {
  const { baseUrl, full } = await start({ screens: 480, latencyMs: 150 });
  const client = await connect(environment(baseUrl, full));
  const name = 'find_available_screens';
  const period = { from: '2027-03-01', to: '2027-03-31' };
  const heard = new Set<number>();
  const results = await Promise.all(
    [{}, { min_available_sov_pct: 10 }, { budget_cents: 400_000 }, { sort_by: 'cheapest' }].map(
      (more, nth) =>
        client.callTool(
          { name, arguments: { ...period, ...more } },
          { timeout: 50_000, onprogress: () => void heard.add(nth) },
        ),
    ),
  );
  for (const { structuredContent, isError } of results) {
    expect(isError).toBeFalsy();
    const { rows, note } = structuredContent as unknown as List;
    expect(rows.length).toBeGreaterThan(20);
    expect(note).toMatch(/^Only \d+ screens were read\. /);
  }
  expect([...heard].sort()).toEqual([0, 1, 2, 3]);
});
