import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { secretKey, start } from '../support/running-relay.ts';

const newKey = Buffer.alloc(32, 9).toString('base64');
const type = 'campaign.paid';

describe('a new key for the secrets', () => {
  it('replaces the old one during a rotation, while another process works', async () => {
    const receiver = await startReceiver();
    const older = await start();
    const { databaseUrl } = older;
    await older.call('PUT', '/subscriptions', { target_url: receiver.url, events: [type] });
    await older.relay.sources.rotate('main', 'the-next-signing-secret');
    const both = await start({ databaseUrl, secretKey: `${newKey},${secretKey}` });
    // The source, and the tokens of both.
    expect(await both.relay.renewSecrets()).toBe(3);
    const newer = await start({ databaseUrl, secretKey: newKey });
    expect((await newer.deliver({ id: '1', type })).status).toBe(202);
    const signed = await newer.deliver({ id: '2', type }, { secret: 'the-next-signing-secret' });
    expect(signed.status).toBe(202);
    await newer.relay.clock.advance(0);
    expect(receiver.arrivals).toHaveLength(2);
    await expect(start({ databaseUrl })).rejects.toThrow('encrypted with a different key');
  });
});
