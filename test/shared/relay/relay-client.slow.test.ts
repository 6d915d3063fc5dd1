import { describe, expect, it } from '@jest/globals';
import { parseEvent, verifyWebhook } from '@screen-advertising/core';
import { nextCursor } from '@screen-advertising/core/platform';
import { createRelayClient, parseConnectorKey } from '@screen-advertising/core/relay';
import { startActor } from '../../relay/support/actor.ts';
import { type Running, start, startAt } from '../../relay/support/running-relay.ts';
import { eventually } from '../../support/eventually.ts';

const clientOf = ({ url, key: { connectorKey } }: Running) =>
  createRelayClient({ baseUrl: url, connectorKey });

const target_url = 'https://n8n.example/webhook/1';
const paid = (id: string) => ({ id, type: 'campaign.paid', data: { campaign_id: id } });

type Made = Awaited<ReturnType<ReturnType<typeof clientOf>['subscribe']>>;

describe('a client of a real relay', () => {
  it('reports whose key it uses', async () => {
    const running = await start();
    const [{ name } = { name: '' }] = await running.relay.tokens.list();
    expect(await clientOf(running).me()).toEqual({
      name,
      source: 'main',
      rights: ['subscribe'],
    });
  });

  it('subscribes once however often it is called, finds the subscription, and unsubscribes', async () => {
    const client = clientOf(await start());
    const input = {
      target_url,
      events: ['user.registered', 'campaign.paid'] as const,
      name: 'Workflow 1',
      max_concurrency: 2,
    };
    const made = await Promise.all([client.subscribe(input), client.subscribe(input)]);
    const [first, one] = made.sort((a, b) => a.id.localeCompare(b.id)) as [Made, Made];
    expect(one).toEqual({
      id: expect.stringMatching(/^sub_[\da-f]{32}_2$/),
      target_url,
      events: ['campaign.paid', 'user.registered'],
      name: 'Workflow 1',
      state: 'active',
      off_reason: null,
      max_concurrency: 2,
      created_at: startAt,
    });
    expect(first).toEqual({ ...one, id: one.id.replace(/2$/, '1') });
    const read = {
      ...one,
      waiting: 0,
      pending: 0,
      has_request: false,
      failing_since: null,
      last_error: null,
      next_attempt_at: null,
    };
    expect(await client.getSubscription(one.id)).toEqual(read);
    expect((await client.listSubscriptions()).data).toEqual([read]);
    const other = { target_url: `${target_url}/other` };
    expect((await client.listSubscriptions(other)).data).toEqual([]);

    await client.unsubscribe(first.id);
    expect(await client.getSubscription(one.id)).toEqual(read);
    await client.unsubscribe(one.id);
    await client.unsubscribe(one.id);
    await client.unsubscribe(`sub_${'0'.repeat(32)}_1`);
    expect(await client.getSubscription(one.id)).toBeUndefined();
    expect(await client.listSubscriptions()).toEqual({
      data: [],
      pagination: { cursor: null, has_more: false },
    });
  });

  it('reads stored events in pages, by type and time, and one by its ID', async () => {
    const running = await start();
    const client = clientOf(running);
    for (const id of ['1', '2', '3']) {
      await running.deliver(paid(id));
      await running.relay.clock.advance(60_000);
    }
    await running.deliver({ id: '4', type: 'user.registered', data: { user_id: 'usr_1' } });

    const first = await client.listEvents({ type: 'campaign.paid', limit: 2 });
    expect(first.data.map(({ payload }) => payload)).toEqual([paid('3'), paid('2')]);
    const cursor = nextCursor(first.pagination) ?? '';
    const second = await client.listEvents({ type: 'campaign.paid', limit: 2, cursor });
    expect(second.data.map(({ data }) => data)).toEqual([{ campaign_id: '1' }]);
    expect(nextCursor(second.pagination)).toBeUndefined();

    const [newest] = first.data;
    expect(newest?.received_at).toBe('2027-03-01T09:02:00.000Z');
    expect(await client.getEvent(newest?.id ?? '')).toEqual(newest);
    expect(await client.getEvent(`evt_${'0'.repeat(32)}`)).toBeUndefined();
    const between = { from: '2027-03-01T09:01:00Z', to: '2027-03-01T11:02:00+02:00' };
    expect((await client.listEvents(between)).data.map(({ data }) => data)).toEqual([
      { campaign_id: '2' },
    ]);
  });

  it('returns an event as its delivery has it, with every digit of long numbers', async () => {
    const running = await start();
    const client = clientOf(running);
    const actor = await startActor();
    await client.subscribe({ target_url: actor.url, events: ['campaign.paid'] });
    await running.deliver(
      '{"id":"1","type":"campaign.paid","data":{"amount":12345678901234567890}}',
    );
    await eventually(() => actor.requests.length > 0, 'the event arrived');
    const [head = '', body = ''] = actor.requests[0]?.split('\r\n\r\n') ?? [];

    const { data } = await client.listEvents();
    expect(data.map(({ payload }) => payload)).toEqual([parseEvent(body).payload]);
    expect(data[0]?.data).toEqual({ amount: '12345678901234567890' });
    const { signingSecret } = parseConnectorKey(running.key.connectorKey);
    const signature = /^x-service-signature: (.*)$/im.exec(head)?.[1] ?? '';
    const { clock } = running.relay;
    expect(
      verifyWebhook({ body, signature, secrets: [signingSecret], now: () => clock.now() }).id,
    ).toBe('1');
  });
});
