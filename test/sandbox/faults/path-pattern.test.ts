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
  ])('%s is meant to be for %s: %j', (pattern, path, meant) => {
    expect(pathPattern(pattern)(path)).toBe(meant);
  });

  it.each(['*', '**'])('ends with an answer when it has many %s', (star) => {
    // Tried one way after the other, it would take longer than anybody lives.
    expect(pathPattern(`/${`${star}a`.repeat(40)}b`)(`/${'a'.repeat(4000)}`)).toBe(false);
  });
});
