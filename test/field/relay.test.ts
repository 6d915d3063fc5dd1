import { describe, expect, it } from '@jest/globals';
import { deliverTo } from '../relay/deliver/scene.ts';
import { openPage } from '../relay/page/support.ts';
import { rawResponse, startActor } from '../relay/support/actor.ts';
import { startCommand } from '../relay/support/command.ts';
import { start, subscribe } from '../relay/support/running-relay.ts';

import { startReceiver } from '../sandbox/support/receiver.ts';

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

  it('would redeliver everything: reads first how many, and what happens twice', async () => {
    const opened = await openPage();
    const { url } = await startReceiver();
    const id = await deliverTo(opened, 'came', url);
    await opened.relay.clock.advance(1);
    const { html } = await opened.visitor.get(`/operator/subscriptions/${id}`);
    expect(html).toContain('1 since <time');
    expect(html).toContain('such as coupons and mails, comes twice.');
    expect(html).toContain('>Redeliver all 1<');
  });

  it('looks for the next attempt at a target that asked for a pause: not in the past', async () => {
    const running = await start();
    const receiver = await startReceiver([503]);
    receiver.answerHeaders['retry-after'] = '60';
    const id = await deliverTo(running, 'paused', receiver.url);
    await running.relay.clock.advance(1);
    const { body } = await running.call('GET', `/subscriptions/${id}`);
    expect(Date.parse(body.next_attempt_at) - running.relay.clock.now()).toBeGreaterThan(50_000);
  });

  it('has one subscriber that is down: the relay itself has no lag', async () => {
    const running = await start();
    const { url } = await startReceiver(Array(100).fill(500));
    await deliverTo(running, 'refused', url);
    for (let minute = 0; minute < 3; minute += 1) {
      await running.relay.clock.advance(60_000);
      await running.deliver({ id: `later ${minute}`, type: 'refused' });
      await running.relay.clock.advance(1);
    }
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    expect(/^relay_lag_seconds (.*)$/m.exec(metrics)?.[1]).toBe('0');
  });

  it('waits for alerts: one says for which event a target responded with 410', async () => {
    const running = await start();
    const alerts = await startReceiver();
    await subscribe(running, alerts.url, { events: ['relay.subscription_off'] });
    const { url } = await startReceiver([410]);
    await deliverTo(running, 'gone', url);
    for (const ms of [1, 60_000, 60_000]) await running.relay.clock.advance(ms);
    const { data } = (await running.call('GET', '/events?type=gone')).body;
    const [alert] = alerts.arrivals.map(({ body }) => JSON.parse(body).data);
    expect(alert).toMatchObject({ event_id: data[0].id, event_type: 'gone' });
  });

  it('removes a source that was a mistake: there is a command', async () => {
    const command = startCommand(['sources', '--help']);
    await command.ended;
    expect(command.printed.output).toContain('remove');
  });

  it('would revoke a key: sees when it was last used', async () => {
    const opened = await openPage();
    await opened.call('GET', '/me');
    const { html } = await opened.visitor.get('/operator/tokens');
    expect(html).toContain('Last used');
  });
});
