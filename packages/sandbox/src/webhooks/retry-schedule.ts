/** Milliseconds before each retry (section 6). After the last one a delivery is exhausted. */
export const retryIntervals: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];
