import { expect, it } from '@jest/globals';
import { command } from '../../support/command.ts';
import { start } from '../../support/running-relay.ts';

it('the command line lists what a source refused, and why', async () => {
  const running = await start();
  await running.deliver({ id: '9', type: 'campaign.paid' }, { signature: null });
  const refused = (...args: string[]) =>
    command(['sources', 'refused', 'main', ...args], { DATABASE_URL: running.databaseUrl });
  expect(JSON.parse((await refused('--json')).output)).toMatchObject([
    { reason: 'missing_signature', is_signature_readable: false, fits_source: null },
  ]);
  expect((await refused()).output).toContain('reason          missing_signature\n');
});
