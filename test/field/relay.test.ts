import { describe, expect, it } from '@jest/globals';
import { deliverTo } from '../relay/deliver/scene.ts';
import { openPage } from '../relay/operate/page/support.ts';
import { rawResponse, startActor } from '../relay/support/actor.ts';

/** What the page of a record says about it, without markup. */
const factsIn = (html: string): string =>
  html.replace(/^[\s\S]*<dl[^>]*>|<\/dl>[\s\S]*$/g, '').replace(/<[^>]*>/g, '');

describe('an operator', () => {
  it('opens a subscription that fails: its page says why', async () => {
    const opened = await openPage();
    const { url } = await startActor([rawResponse(503)]);
    const id = await deliverTo(opened, 'refused', url);
    await opened.relay.clock.advance(1);
    const { html } = await opened.visitor.get(`/operator/subscriptions/${id}`);
    expect(factsIn(html)).toContain('503');
  });

  it('looks for an event that waits: no page says that it has no subscription', async () => {
    const opened = await openPage({ role: 'ingress' });
    await deliverTo(opened, 'waits', 'https://hooks.example.com/1');
    const { html } = await opened.visitor.get('/operator/events');
    expect(html).toContain('>1 waiting<');
    // The event before the subscription.
    expect(html.match(/no subscription/g)).toHaveLength(1);
  });
});
