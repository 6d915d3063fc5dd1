import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, signWebhook, verifySignature } from '@screen-advertising/core';
import { createReplayMemory } from '@screen-advertising/core/webhooks';

/** A clock in seconds that tests move by hand. */
function clock(seconds = 1_800_000_000) {
  const time = { seconds, now: () => time.seconds * 1000 };
  return time;
}

describe('the replay memory', () => {
  it('accepts the first delivery of an event and recognizes its duplicates', () => {
    const memory = createReplayMemory({ now: clock().now });
    expect([memory.claim('a'), memory.claim('b'), memory.claim('a')]).toEqual([true, true, false]);
  });

  it('accepts an event again when its processing failed', () => {
    const memory = createReplayMemory({ now: clock().now });
    memory.claim('a');
    memory.release('a');
    expect(memory.claim('a')).toBe(true);
    expect(memory.claim('a')).toBe(false);
  });

  it('remembers over all retries, and no longer than 1801 s', () => {
    const time = clock();
    const memory = createReplayMemory({ now: time.now });
    memory.claim('a');
    for (const retry of [1, 5, 30, 120, 600]) {
      time.seconds += retry;
      expect(memory.claim('a')).toBe(false);
    }
    time.seconds += 1044;
    expect(memory.claim('a')).toBe(false);
    time.seconds += 1;
    expect(memory.claim('a')).toBe(true);
  });

  it("outlasts the tolerance of the verifier, even when the sender's clock is ahead", () => {
    const time = clock();
    const memory = createReplayMemory({ now: time.now });
    const secret = 'whsec_example';
    const body = '{"id":"evt_1","type":"coupon.redeemed","data":{}}';
    const signature = signWebhook({ body, secret, timestamp: time.seconds + 900 });
    const isTaken = () => {
      verifySignature({ body, signature, secrets: [secret], now: time.now });
      return memory.claim('evt_1');
    };
    expect(isTaken()).toBe(true);
    time.seconds += 1800.9;
    expect(isTaken()).toBe(false);
    time.seconds += 0.1;
    expect(isTaken).toThrow('The delivery was signed 901 s in the past');
  });

  it('still knows a duplicate when the clock is set back a little', () => {
    const time = clock();
    const memory = createReplayMemory({ now: time.now });
    memory.claim('a');
    time.seconds -= 30;
    expect(memory.claim('a')).toBe(false);
    time.seconds -= 3600;
    expect(memory.claim('a')).toBe(true);
  });

  it('forgets the oldest key when it is full, so that no event gets lost', () => {
    const memory = createReplayMemory({ now: clock().now, maxEntries: 2 });
    expect(['a', 'b', 'c'].map((key) => memory.claim(key))).toEqual([true, true, true]);
    expect([memory.claim('c'), memory.claim('b'), memory.claim('a')]).toEqual([false, false, true]);
  });

  it('counts the age of a key from its latest claim', () => {
    const time = clock();
    const memory = createReplayMemory({ now: time.now, retentionSeconds: 60, maxEntries: 2 });
    memory.claim('a');
    time.seconds += 30;
    memory.claim('b');
    time.seconds += 30;
    expect([memory.claim('a'), memory.claim('c')]).toEqual([true, true]);
    expect([memory.claim('a'), memory.claim('b')]).toEqual([false, true]);
  });

  it('holds 10,000 events, and removes expired ones', () => {
    const time = clock();
    const memory = createReplayMemory({ now: time.now });
    for (let index = 0; index < 10_001; index += 1) memory.claim(`key ${index}`);
    expect(memory.entries()).toHaveLength(10_000);
    time.seconds += 1801;
    memory.claim('new');
    expect(memory.entries()).toEqual([['new', time.now()]]);
  });

  it('outlives its process when its entries are stored', () => {
    const time = clock();
    const before = createReplayMemory({ now: time.now });
    before.claim('a');
    const stored = JSON.parse(JSON.stringify(before.entries()));
    time.seconds += 1800;
    const after = createReplayMemory({ now: time.now, entries: stored });
    expect([after.claim('a'), after.claim('b')]).toEqual([false, true]);
    time.seconds += 1;
    expect(createReplayMemory({ now: time.now, entries: stored }).entries()).toEqual([]);
  });

  it('says whether it knows an event, without claiming it', () => {
    const time = clock();
    const memory = createReplayMemory({ now: time.now });
    expect([memory.has('a'), memory.claim('a'), memory.has('a')]).toEqual([false, true, true]);
    time.seconds += 1801;
    expect(memory.has('a')).toBe(false);
  });

  it('adds unknown keys of another memory, with the time of the first claim', () => {
    const time = clock();
    const one = createReplayMemory({ now: time.now });
    const other = createReplayMemory({ now: time.now });
    one.claim('past');
    time.seconds += 600;
    one.claim('a');
    time.seconds += 1201;
    one.claim('b');
    const learned = [...one.entries(), ['past', (time.seconds - 1801) * 1000] as const];
    other.claim('a');
    other.add(learned);
    expect(other.entries()).toEqual([
      ['a', time.now()],
      ['b', time.now()],
    ]);
  });

  const seconds = 'retentionSeconds must be a number of seconds above 0.';
  const whole = 'maxEntries must be a whole number, 1 or more.';
  const unknown =
    'ttlSeconds is not an option of createReplayMemory. It takes now, retentionSeconds, maxEntries, entries.';

  it.each<[object, string]>([
    [{ ttlSeconds: 5 }, unknown],
    [{ retentionSeconds: Number.NaN }, seconds],
    [{ retentionSeconds: 0 }, seconds],
    [{ retentionSeconds: Number.POSITIVE_INFINITY }, seconds],
    [{ maxEntries: 0 }, whole],
    [{ maxEntries: 1.5 }, whole],
  ])('refuses %p', (options, message) => {
    const [field] = Object.keys(options);
    expect(() => createReplayMemory(options)).toThrow(ConfigurationError);
    expect(() => createReplayMemory(options)).toThrow(expect.objectContaining({ field, message }));
  });
});
