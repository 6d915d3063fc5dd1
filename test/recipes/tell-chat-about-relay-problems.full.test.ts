import { expect, it } from '@jest/globals';
import { onPlatforms } from './on-platforms.ts';

const message = expect.stringMatching(/^"CRM" \(127\.0\.0\.1:9\) gets no more events: /);

onPlatforms('tell-chat-about-relay-problems', (open, platform) => {
  it('a subscription that is switched off becomes a message that names it', async () => {
    const { recipe } = await open();
    const channel = platform === 'Zapier' && { Channel: 'operations' };
    expect(await recipe.relayHasProblem()).toEqual([
      { handedOver: [{ ...channel, 'Message Text': message }] },
    ]);
  });

  it('an event of the service starts nothing', async () => {
    const { recipe } = await open();
    await recipe.relayHasProblem();
    expect(await recipe.happen('campaign.paid', { campaign_id: 'cmp_1' })).toEqual([]);
  });
});
