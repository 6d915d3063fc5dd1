import { describe, expect, it } from '@jest/globals';
import { rawResponse } from '../support/actor.ts';
import { start } from '../support/running-relay.ts';
import { useRow } from './row.ts';

const firstRetryMs = 5_000;
const [a, b] = ['campaign.paid', 'coupon.redeemed'] as const;
const minute = 60_000;

const row = useRow();

describe('an event is wanted', () => {
  it('from the request on that first names its type', async () => {
    await row.put();
    for (let count = 0; count < 60; count += 1)
      await row.running.deliver({ id: `b${count}`, type: b });
    await row.put({ events: [a, b] });
    await row.put({ events: [a, b], catch_up: true });
    await row.deliver('b', b);
    expect(row.arrived()).toEqual(['b']);
  });

  it('no more after one that leaves it out, also if it was attempted', async () => {
    row.actor.answers.push(rawResponse(500));
    await row.put({ events: [a, b] });
    await row.deliver('failed', b);
    await row.put();
    await row.deliver('late', b);
    const { data } = (await row.running.call('GET', '/deliveries')).body;
    expect(data).toMatchObject([{ state: 'dead', reason: 'not_wanted' }]);
    await row.put({ events: [a, b] });
    await row.running.relay.clock.advance(60 * minute);
    expect(row.arrived()).toEqual(['failed']);
  });

  it('no more after one that leaves it out, also if a job was to deliver it', async () => {
    const { id } = await row.put({ events: [a, b] });
    await row.running.relay.operate('subscriptions.change', { id, state: 'off' });
    await row.deliver('a');
    await row.deliver('b', b);
    // No sender carries out the job meanwhile.
    const ingress = await start({ role: 'ingress', databaseUrl: row.running.databaseUrl });
    const putAside = (body: object) => {
      const input = { target_url: `${row.actor.url}/2`, events: [a, b], ...body };
      return ingress.call('PUT', '/subscriptions', input, row.running.key.token);
    };
    await putAside({ replaces: id });
    await putAside({ events: [a] });
    await putAside({});
    await row.running.relay.clock.advance(10 * minute);
    expect(row.arrived()).toEqual(['a']);
  });

  it.each([
    ['the first attempt of it runs, which fails later', 0, [[a]], [a]],
    ['it runs, and a request names it again later', 0, [[a]], [a, b]],
    ['it runs, also if a request names it again before it fails', 0, [[a], [a, b]], [a, b]],
    ['a retry runs, also if a request names it again before', 1, [[a], [a, b]], [a, b]],
  ])('no more while %s', async (_what, failures, meanwhile, later) => {
    row.actor.answers.push(...Array(failures).fill(rawResponse(500)));
    await row.put({ events: [a, b] });
    await row.running.deliver({ id: 'running', type: b, data: {} });
    if (failures > 0) await row.running.relay.clock.advance(0);
    const respond = await row.attempt(500, failures * firstRetryMs);
    for (const events of meanwhile) await row.ask({ events });
    await respond();
    await row.put({ events: later });
    await row.running.relay.clock.advance(minute);
    const { data } = (await row.running.call('GET', '/deliveries')).body;
    expect(data).toMatchObject([{ state: 'dead', reason: 'not_wanted' }]);
    expect(row.arrived()).toHaveLength(failures + 1);
  });

  it('still, if a job delivers it while a request changes nothing', async () => {
    const { id } = await row.put();
    await row.running.relay.operate('subscriptions.change', { id, state: 'off' });
    await row.deliver('a');
    const target_url = `${row.actor.url}/2`;
    await row.ask({ target_url, replaces: id });
    const respond = await row.attempt(500);
    await row.ask({ target_url });
    await respond();
    await row.running.relay.clock.advance(minute);
    expect(row.arrived()).toEqual(['a', 'a']);
  });

  it.each([
    ['from its name to "*"', [a], ['*'], ['a', 'later']],
    ['from "*" to its name', ['*'], [a], ['a']],
    ['from "*" to its name and another', ['*'], [a, b], ['a', 'b', 'later']],
  ])('still, if the request changes %s', async (_what, before, after, expected) => {
    const { id } = await row.put({ events: before });
    await row.running.relay.operate('subscriptions.change', { id, state: 'off' });
    await row.deliver('a');
    await row.deliver('b', b);
    const { events } = await row.put({ events: after });
    expect(events).toEqual(after);
    await row.deliver('later', b);
    expect(row.arrived()).toEqual(expected);
    await row.put({ events: after });
    await row.deliver('last');
    expect(row.arrived()).toEqual([...expected, 'last']);
  });

  it('if the subscription has its name, although the relay never received one', async () => {
    await row.running.deliver({ id: 'one', type: 'screen.paused' });
    await row.put({ events: ['screen.paused'] });
    const forget = "DELETE FROM event WHERE type = 'screen.paused'";
    await row.running.query(forget);
    expect(await row.put({ events: ['screen.paused'] })).toMatchObject({
      events: ['screen.paused'],
    });
    const other = await row.put({ target_url: `${row.actor.url}/2`, events: ['screen.paused'] });
    expect(other.status).toBe(400);
  });
});
