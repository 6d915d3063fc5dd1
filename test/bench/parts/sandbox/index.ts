import { createSandbox } from '@screen-advertising/sandbox';
import { inRounds, ratiosTo, timeOf } from '../../lib/rounds.ts';
import { atMost, type Part } from '../../lib/section.ts';
import { digits, showSpread, spreadOf } from '../../lib/spread.ts';

const least = 'JSON.stringify and Response';
const ours = 'sandbox.fetch';

const part: Part = async ({ isShort }) => {
  const sandbox = createSandbox({ rateLimit: { requests: Number.MAX_SAFE_INTEGER } });
  const headers = { authorization: `Bearer ${sandbox.accesses[0].apiKey}` };
  const page = async (): Promise<string> =>
    (await sandbox.fetch('http://sandbox/api/v1/screens', { headers })).text();
  const records: unknown = JSON.parse(await page());
  const times = await inRounds(
    {
      [least]: () => timeOf(() => new Response(JSON.stringify(records)).text()),
      [ours]: () => timeOf(page),
    },
    isShort ? 3 : 15,
  );
  await sandbox.close();
  const ratios = ratiosTo(least, times);
  return {
    title: 'Sandbox',
    intro:
      'Time for a page of 50 screens without a socket. 1 is the minimum: the same records as JSON in a `Response`.',
    tables: [
      {
        head: ['', 'to the least', 'microseconds here'],
        rows: Object.entries(times).map(([name, samples]) => [
          name,
          showSpread(ratios[name]),
          digits(spreadOf(samples).median / 1000),
        ]),
      },
    ],
    goals: [atMost(`a page of 50 screens, to ${least}`, ratios[ours], 2)],
  };
};

export default part;
