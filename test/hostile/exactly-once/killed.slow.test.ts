import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { eventually } from '../../support/eventually.ts';
import { node, startProgram } from '../../support/program.ts';

const sandbox = createSandbox({ screens: 1 });
afterAll(() => sandbox.close());

it('an automation that is killed between request and response finds its coupon when it runs again', async () => {
  const { baseUrl } = await sandbox.listen();
  const [{ apiKey }] = sandbox.accesses;
  const codes = () => sandbox.coupons.list().map(({ code }) => code);
  const start = () =>
    startProgram(
      node,
      ['--conditions=source', '--no-warnings', path.join(import.meta.dirname, 'automation.ts')],
      { env: { BASE_URL: baseUrl, API_KEY: apiKey, CODE: 'OWN-1' } },
    );
  const slow = { fault: 'slow-body', ms: 60_000, times: 1 } as const;
  sandbox.faults.add({ ...slow, method: 'POST', path: '/coupons' });
  const first = start();
  await eventually(() => codes().length > 0, 'the coupon exists');
  first.kill();
  await first.ended;

  const { code, output } = await start().ended;
  expect({ code, record: JSON.parse(output) }).toMatchObject({
    code: 0,
    record: { code: 'OWN-1', lead_email: 'lead@example.com' },
  });
  expect(codes()).toEqual(['OWN-1']);
});
