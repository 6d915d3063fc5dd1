import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FairShare } from '../../../shared/src/client/fair-share.ts';

let share: FairShare;

beforeEach(() => {
  share = new FairShare({ requests: 600, perMs: 60_000 });
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

/** When the next request may be sent, after this many in the window. */
const opensAt = (now: number, sent: number) =>
  share.opensAt(now, 0, Array<number>(sent).fill(now + 60_000), false);

describe('the share of a process', () => {
  it('sends 50 requests at once, and others a millisecond apart', () => {
    for (let sent = 0; sent < 50; sent += 1) share.send(0);
    expect(opensAt(0, 50)).toBe(0);
    share.send(0);
    share.send(0);
    expect(opensAt(0, 52)).toBe(2);
  });

  it('is nine tenths of what was granted, after a refusal', () => {
    share.refuse(0, 100);
    share.pause(0, 1_000);
    expect(opensAt(1_000, 89)).toBe(1_000);
    // It grows by one request in 50 ms.
    expect(opensAt(1_000, 90)).toBe(1_050);
  });

  it('retains nine tenths of each request that is granted during a pause', () => {
    share.refuse(0, 100);
    share.pause(0, 1_000);
    for (let granted = 0; granted < 10; granted += 1) share.grant(500);
    expect(opensAt(1_000, 98)).toBe(1_000);
    expect(opensAt(1_000, 99)).toBe(1_050);
  });
});
