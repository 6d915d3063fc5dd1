import { chmodSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { send } from '../support/running-relay.ts';
import { deliver } from './deliver.ts';

const secret = 'signing-secret-of-the-service';
const type = 'campaign.paid';

it('a data folder that was moved is the same relay in another place', async () => {
  const receiver = await startReceiver();
  const parent = mkdtempSync(path.join(tmpdir(), 'moved-'));
  // As root, PostgreSQL runs as another user, which must reach its folder.
  chmodSync(parent, 0o755);
  const [before, after] = ['before', 'after'].map((name) => path.join(parent, name));
  const open = (dataDir: string) => createRelay({ dataDir, allowTargets: ['127.0.0.1'] });
  const first = await open(before ?? '');
  await first.sources.add('main', secret);
  const { token } = await first.tokens.create('main', 'all');
  const headers = { authorization: `Bearer ${token}` };
  const { url } = await first.listen();
  await send(`${url}/api/v1/subscriptions`, 'PUT', headers, {
    target_url: receiver.url,
    events: [type],
  });
  expect(await deliver(url, secret, { id: '1', type, data: {} })).toBe(202);
  await first.close();

  renameSync(before ?? '', after ?? '');
  const second = await open(after ?? '');
  try {
    const moved = await second.listen();
    expect(await deliver(moved.url, secret, { id: '1', type, data: {} })).toBe(200);
    expect(await deliver(moved.url, secret, { id: '2', type, data: {} })).toBe(202);
    const { body } = await send(`${moved.url}/api/v1/events`, 'GET', headers);
    expect(body.data.map(({ payload }: { payload: { id: string } }) => payload.id)).toEqual([
      '2',
      '1',
    ]);
  } finally {
    await second.close();
  }
});
