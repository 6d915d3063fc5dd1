import { describe, expect, it } from '@jest/globals';
import { pathPattern } from '../../../packages/sandbox/src/faults/path-pattern.ts';

describe('the path of a fault rule', () => {
  it.each([
    ['/coupons/*', '/coupons/', false],
    ['/coupons/*', '/coupons/A', true],
    ['/coupons/*', '/coupons/A/revoke', false],
    ['/coupons/A*', '/coupons/A', false],
    ['/coupons/*A*', '/coupons/xAy', true],
    ['/coupons/*/revoke', '/coupons/A/B/revoke', false],
    ['/**', '/', true],
    ['/coupons**revoke', '/coupons/A/B/revoke', true],
    ['/**/A/*', '/coupons/A/A/B', true],
    ['/**/A/*', '/coupons/B/A', false],
    ['/coupons/{code}', '/coupons/A', true],
    ['/coupons/*{b', '/coupons/A{b', true],
    ['/coupons/A.B', '/coupons/AxB', false],
  ])('%s against %s: %j', (pattern, path, meant) => {
    expect(pathPattern(pattern)(path)).toBe(meant);
  });

  it.each(['*', '**'])('returns a result even with many %s', (star) => {
    // Backtracking would take longer than a human lifetime.
    expect(pathPattern(`/${`${star}a`.repeat(40)}b`)(`/${'a'.repeat(4000)}`)).toBe(false);
  });
});
