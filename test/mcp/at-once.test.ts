import { describe, expect, it } from '@jest/globals';
import { accessVariables } from '@screen-advertising/core/platform';
import { start } from '../sandbox/support/running-sandbox.ts';
import { callTool } from './support/call.ts';
import { connect } from './support/connect.ts';

const names = ['list_screens', 'list_campaign_requests', 'get_screen', 'look_up_user'];
const inputs = [{ limit: 1 }, {}, { screenId: 'scr_berlin_0001' }, { email: 'lead@example.com' }];

describe('40 calls at once', () => {
  it('make one token request', async () => {
    const { baseUrl, full, sandbox } = await start({ screens: 3 });
    const client = await connect({
      [accessVariables.baseUrl]: baseUrl,
      [accessVariables.clientId]: full.clientId,
      [accessVariables.clientSecret]: full.clientSecret,
    });
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        callTool(client, names[index % names.length] ?? '', inputs[index % inputs.length]),
      ),
    );
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    const paths = sandbox.journal.list().map(({ path }) => path);
    expect(paths).toHaveLength(41);
    expect(paths.filter((path) => path === '/oauth/token')).toHaveLength(1);
  });
});
