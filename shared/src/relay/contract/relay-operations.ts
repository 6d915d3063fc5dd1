import * as z from 'zod/mini';
import { entry } from './entry.ts';
import { eventOperations } from './event-operations.ts';
import * as requests from './requests.ts';
import { subscriptionOperations } from './subscription-operations.ts';

const me = entry({
  id: 'me',
  method: 'GET',
  path: '/me',
  need: 'events',
  title: requests.me.title,
  description: 'Name, source, and rights of the token.',
  input: z.strictObject({}),
  output: 'Me',
});

const all = [me, ...subscriptionOperations, ...eventOperations] as const;

type Entry = (typeof all)[number];

/** Every operation of the relay's API, by its ID. */
export type RelayContract = { readonly [One in Entry as One['id']]: One };

/** Every operation of the relay's API, by its ID. */
export const relayContract = Object.fromEntries(
  all.map((one) => [one.id, one]),
) as unknown as RelayContract;
