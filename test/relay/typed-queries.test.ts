import { expect, it } from '@jest/globals';
import {
  type DeliveryRecord,
  type EventRecord,
  type Page,
  RelayError,
  type SubscriptionRecord,
} from '@screen-advertising/relay';
import { start } from './support/running-relay.ts';

it('queries from code are checked by the compiler, and name what is invalid at run time', async () => {
  const { relay } = await start({ role: 'ingress' });
  const failures = [
    // @ts-expect-error A state that does not exist.
    relay.deliveries.list({ state: 'pendign' }),
    // @ts-expect-error Text instead of a number.
    relay.events.list({ limit: 'ten' }),
    // @ts-expect-error An option that does not exist.
    relay.subscriptions.list({ limmit: 5 }),
    // @ts-expect-error One delivery has no state to choose by.
    relay.deliveries.replay({ state: 'dead' }),
    relay.events.replay('evt_1'),
  ].map((call: Promise<unknown>) => call.catch((error: unknown) => error));
  const errors = await Promise.all(failures);
  expect(errors.every((error) => error instanceof RelayError)).toBe(true);
  expect(errors.map((error) => (error as RelayError).message)).toEqual([
    'state: use pending, delivered, ignored or dead.',
    'limit: use a whole number from 1 to 200.',
    'limmit: unknown field, leave it out.',
    'Give the id of a delivery, or subscription_id.',
    'There is no event evt_1, or it was pruned.',
  ]);
});

it('records from code have the types that the package exports', async () => {
  const { relay } = await start({ role: 'ingress' });
  const events: Page<EventRecord> = await relay.events.list({ limit: 5 });
  const deliveries: Page<DeliveryRecord> = await relay.deliveries.list({ state: 'dead' });
  const subscriptions: Page<SubscriptionRecord> = await relay.subscriptions.list();
  expect([events, deliveries, subscriptions].map(({ data }) => data)).toEqual([[], [], []]);
  // @ts-expect-error A field that does not exist.
  expect(events.data[0]?.receivedAt).toBeUndefined();
});
