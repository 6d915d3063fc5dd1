/** Milliseconds since 1970 with their fractions, the same in every process. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
