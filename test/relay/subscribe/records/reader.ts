import { expect } from '@jest/globals';
import type { Running } from '../../support/running-relay.ts';

const paid = 'campaign.paid';
export const redeemed = 'coupon.redeemed';

interface Events {
  readonly data: readonly { readonly payload: { readonly id: string } }[];
}

export const idsOf = ({ data }: Events): string[] => data.map(({ payload }) => payload.id);

let count = 0;

/** Delivers an event with a new ID to a relay. */
export async function happens(to: Running, type = paid): Promise<string> {
  count += 1;
  const id = `evt_${count}`;
  expect((await to.deliver({ id, type })).status).toBe(202);
  return id;
}

/** Reads the events of a relay after a position. */
export function readerOf(running: Running) {
  const list = async (query: string) => (await running.call('GET', `/events?${query}`)).body;
  const newest = async (): Promise<string> => (await list('after=newest')).pagination.position;
  const eventsAfter = (position: string, more = '') => list(`after=${position}${more}`);

  /** Everything after a position, in pages. */
  async function readAll(position: string, more = ''): Promise<string[]> {
    const page = await eventsAfter(position, more);
    const { has_more: hasMore, position: next, cursor } = page.pagination;
    expect(cursor).toBe(hasMore ? next : null);
    return [...idsOf(page), ...(hasMore ? await readAll(next, more) : [])];
  }

  return { list, newest, eventsAfter, readAll };
}
