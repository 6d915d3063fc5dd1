import { startReceiver } from '../../sandbox/support/receiver.ts';
import { type Running, start } from './running-relay.ts';

/** The type of the event in the world. */
export const type = 'campaign.paid';

export interface World {
  readonly running: Running;
  readonly target: string;
  readonly ids: Readonly<Record<'on' | 'off' | 'event' | 'delivery' | 'offDelivery', string>>;
  readonly stranger: string;
}

/** A source with one active and one inactive subscription, an event, and its deliveries. */
export async function world(): Promise<World> {
  const target = (await startReceiver(Array(20).fill(200))).url;
  const running = await start();
  const put = async (url: string) =>
    (await running.call('PUT', '/subscriptions', { target_url: url, events: [type] })).body.id;
  const on = await put(target);
  const off = await put(`${target}/off`);
  await running.deliver({ id: '1', type, data: {} });
  await running.relay.clock.advance(0);
  await running.relay.subscriptions.off(off);
  const { data } = (await running.call('GET', '/deliveries')).body;
  const [offDelivery, delivery] = data;
  await running.relay.sources.add('other', 'another-secret');
  const { token: stranger } = await running.relay.tokens.create('other', 'stranger');
  const ids = {
    on,
    off,
    event: delivery.event_id,
    delivery: delivery.id,
    offDelivery: offDelivery.id,
  };
  return { running, target, ids, stranger };
}
