import { describe, expect, it } from '@jest/globals';
import { createCoupon, createLandingLink, reads } from '../app/actions.ts';
import { type Fault, status } from '../app/fault.ts';
import { useActions } from '../app/use-actions.ts';

const { service, struck } = useActions();

const once: readonly (readonly [what: string, fault: Fault])[] = [
  ['a connection that breaks', { fault: 'reset', times: 1 }],
  ['a proxy that is overloaded', { ...status(503), times: 1 }],
];

describe.each(once)('%s once', (_what, fault) => {
  it.each(reads.filter(({ name }) => !name.startsWith('List of')))(
    'does not fail $name',
    async (action) => {
      service().sandbox.journal.clear();
      expect(await struck(fault, action)).not.toHaveProperty('name', 'AppError');
      expect(service().calls().length).toBeGreaterThan(1);
    },
  );
});

it('makes up to three attempts at a read, two at a coupon, and one at a link', async () => {
  const [findScreen] = reads;
  if (!findScreen) throw new Error('There are reads.');
  for (const [action, requests] of [
    [findScreen, 3],
    [createCoupon, 2],
    [createLandingLink, 1],
  ] as const) {
    service().sandbox.journal.clear();
    await struck(status(503), action);
    expect(service().calls()).toHaveLength(requests);
  }
});
