import { describe, expect, it } from '@jest/globals';
import { deliverTo } from '../relay/deliver/scene.ts';
import { openPage } from '../relay/operate/page/support.ts';
import { rawResponse, startActor } from '../relay/support/actor.ts';

/** What the page of a record says about it, without markup. */
const factsIn = (html: string): string =>
  html.replace(/^[\s\S]*<dl[^>]*>|<\/dl>[\s\S]*$/g, '').replace(/<[^>]*>/g, '');

describe('an operator', () => {
  it.failing('opens a subscription that fails: its page says why', async () => {
    const opened = await openPage();
    const { url } = await startActor([rawResponse(503)]);
    const id = await deliverTo(opened, 'refused', url);
    await opened.relay.clock.advance(1);
    const { html } = await opened.visitor.get(`/operator/subscriptions/${id}`);
    expect(factsIn(html)).toContain('503');
  });
});
