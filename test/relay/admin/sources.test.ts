import { describe, expect, it } from '@jest/globals';
import { sourceSecret, start } from '../support/running-relay.ts';

describe('the signing secret of a source', () => {
  it.each([
    [' ', 'is empty'],
    ['first line\nsecond line', 'has a line break or another control character'],
    ['https://relay.example.com/in/main', 'is a web address'],
    ['Signing secret: abc', 'begins with its label'],
  ])('is refused if it is certainly something else: %j', async (secret, fault) => {
    const { relay, deliver } = await start();
    const message = `The signing secret of the source ${fault}. Paste the secret alone, as the Screen Advertising team sent it.`;
    await expect(relay.sources.add('shop', secret)).rejects.toThrow(message);
    await expect(relay.sources.rotate('main', secret)).rejects.toThrow(message);
    expect((await relay.sources.list()).map(({ name }) => name)).toEqual(['main']);
    expect((await deliver({ id: '1', type: 'campaign.paid' })).status).toBe(202);
  });

  it('is not a connector key of the relay, which no error shows', async () => {
    const { relay, key } = await start();
    for (const secret of [key.connectorKey, key.token]) {
      const refused = relay.sources.rotate('main', secret);
      await expect(refused).rejects.toThrow(
        'The signing secret of the source is a connector key of the relay, which belongs in n8n or Zapier. Paste the secret alone, as the Screen Advertising team sent it.',
      );
      await expect(refused).rejects.not.toThrow(secret);
    }
  });

  it.each(['a secret with spaces', 'whsec_c2VjcmV0', `${sourceSecret}://x`, 'rly_short'])(
    'is accepted in any other form: %j',
    async (secret) => {
      const { relay, deliver } = await start();
      await relay.sources.rotate('main', `${secret}\n`);
      const event = { id: '1', type: 'campaign.paid' };
      expect((await deliver(event, { secret })).status).toBe(202);
    },
  );
});
