import { jest } from '@jest/globals';
import type { Sandbox } from '@screen-advertising/sandbox';
import { createZapierRunner, type ZapierRunner } from '../zapier/app/zapier.ts';
import { baseUrl, setAvailable } from './service.ts';
import type { RecordedState } from './state.ts';

type Recorded = RecordedState['zapier'];

const availability = {
  change: 'either',
  share_pct: 10,
  from: '2027-03-01',
  to: '2027-03-31',
  city: 'Berlin',
};

/** The triggers that remember something, with their fields and what makes a record new. */
const triggers = [
  ['campaign_request_status_changed', 'change_id', {}],
  ['new_screen', 'id', {}],
  ['screen_availability_changed', 'id', availability],
] as const;

/** The connection as Zapier stores it; Zapier's time is that of the service. */
export function connectZapier(
  sandbox: Sandbox,
  cache: Record<string, string>,
  connection: Readonly<Record<string, string>>,
): ZapierRunner {
  jest.spyOn(Date, 'now').mockImplementation(() => sandbox.clock.now());
  const { base_url = '', client_id = '', client_secret = '' } = connection;
  const runner = createZapierRunner({
    baseUrl: base_url,
    credentials: { clientId: client_id, clientSecret: client_secret },
    event: { zcacheTestObj: cache },
  });
  runner.edit(connection);
  return runner;
}

/** The IDs of all records that one poll of each trigger returns. */
export async function pollZaps(runner: ZapierRunner): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [key, primary, inputData] of triggers) {
    const records = await runner.poll(key, inputData);
    found[key] = records.map((record) => String(record[primary])).toSorted();
  }
  return found;
}

export async function recordZapier(sandbox: Sandbox): Promise<Recorded> {
  const cache: Record<string, string> = {};
  const [{ clientId, clientSecret }] = sandbox.accesses;
  const form = { base_url: baseUrl, client_id: clientId, client_secret: clientSecret };
  const runner = connectZapier(sandbox, cache, form);
  await runner.connect();
  await pollZaps(runner);
  sandbox.campaignRequests.add({ id: 'cr_zap' });
  await pollZaps(runner);
  sandbox.campaignRequests.add({ id: 'cr_zap', status: 'converted' });
  sandbox.screens.add({ id: 'scr_zap', city: 'Berlin' });
  setAvailable(sandbox, 0);
  const ran = await pollZaps(runner);
  return { cache, ran, connection: { ...runner.authData } };
}
