import { describe, expect, it } from '@jest/globals';
import {
  defaultRights,
  mustReach,
  needs,
  readRights,
  rights,
  scopeOf,
} from '../../../../packages/relay/src/subscribe/records/rights.ts';

const scope = (need: keyof typeof needs, ...held: (keyof typeof rights)[]) =>
  scopeOf({ token: 7, source: 1, rights: held }, need);

const all = { source: 1 };
const ask = 'Ask the operator of the relay for a connector key with that right.';

describe('a token with a right', () => {
  it('is of one of three, each in these words', () => {
    expect(rights).toEqual({
      subscribe: 'its own subscriptions, and all events',
      read: 'see everything of its source',
      manage: 'see and change everything of its source',
    });
    expect(defaultRights).toEqual(['subscribe']);
    expect(Object.keys(needs)).toEqual(['events', 'see', 'change', 'erase']);
  });

  it.each([
    ['events', 'subscribe'],
    ['events', 'read'],
    ['events', 'manage'],
    ['see', 'read'],
    ['see', 'manage'],
    ['change', 'manage'],
    ['erase', 'manage'],
  ] as const)('reaches all of its source: %s with %s', (need, right) => {
    expect(scope(need, right)).toEqual(all);
  });

  it.each([
    ['see', 'read or manage'],
    ['change', 'manage'],
  ] as const)('reaches its own: %s with subscribe', (need, wanted) => {
    const own = scope(need, 'subscribe');
    const refusal = `The subscription belongs to another token. This request needs the right ${wanted}, and this token has only subscribe. ${ask}`;
    expect(own).toEqual({ source: 1, own: { token: 7, refusal } });
    expect(mustReach(own, 7)).toBeUndefined();
    expect(() => mustReach(own, 8)).toThrow(refusal);
  });

  it.each([
    ['change', 'read', 'subscribe or manage'],
    ['erase', 'subscribe', 'manage'],
    ['erase', 'read', 'manage'],
  ] as const)('is refused: %s with %s', (need, right, wanted) => {
    expect(() => scope(need, right)).toThrow(
      `This request needs the right ${wanted}, and this token has only ${right}. ${ask}`,
    );
  });

  it('reaches what any of its rights reaches', () => {
    expect(scope('see', 'subscribe', 'read')).toEqual(all);
    expect(scope('change', 'subscribe', 'read')).toMatchObject({ own: { token: 7 } });
    expect(() => scope('erase', 'subscribe', 'read')).toThrow(
      `This request needs the right manage, and this token has only subscribe and read. ${ask}`,
    );
  });
});

describe('rights that are given', () => {
  it('are kept once each, in their order', () => {
    expect(readRights(['manage', 'read', 'manage', 'subscribe'])).toEqual([
      'subscribe',
      'read',
      'manage',
    ]);
  });

  it.each([[[]], [['write']], [['subscribe', '']], [['toString']]])('are never %j', (given) => {
    expect(() => readRights(given)).toThrow('rights: use one or more of subscribe, read, manage.');
  });
});
