import { expect, it } from '@jest/globals';
import { start } from '../support/running-relay.ts';

it('an idle connection stays open for longer than proxies keep it', async () => {
  const { call } = await start();
  const { headers } = await call('GET', '/me');
  expect(headers.get('keep-alive')).toBe('timeout=130');
});
