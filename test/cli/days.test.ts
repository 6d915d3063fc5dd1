import { expect, it } from '@jest/globals';
import { start } from '../sandbox/support/running-sandbox.ts';
import { environment, typed } from './command.ts';

it.each(['2026-05-01T00:00:00Z', '2026-05-01T00:00:00.000Z', '1.5.2026', '2026-05-01'])(
  'a day can be typed as %s',
  async (from) => {
    const { baseUrl, full } = await start();
    const args = ['call', 'screen.availability', '--screenId', 'scr_berlin_0001'];
    const period = ['--from', from, '--to', '2026-05-31T00:00:00Z'];
    const { output, errors } = await typed([...args, ...period], environment(baseUrl, full));
    expect(errors).toBe('');
    expect(JSON.parse(output)).toMatchObject({ from: '2026-05-01', to: '2026-05-31' });
  },
);

it('another moment is refused, since there is no time zone, together with every other fault', async () => {
  const { baseUrl, full } = await start();
  const args = [
    'find-available',
    '--from',
    '2026-04-30T22:00:00Z',
    '--min_available_sov_pct',
    '200',
  ];
  expect(await typed(args, environment(baseUrl, full))).toMatchObject({
    code: 2,
    output: '',
    errors:
      'Find Available Screens was not sent: from must be a day such as 2027-03-31, without a time, not "2026-04-30T22:00:00Z"; to is required; min_available_sov_pct must be at most 100, not 200.\n',
  });
});
