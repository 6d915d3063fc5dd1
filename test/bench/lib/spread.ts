/** The middle of several rounds, and between which values the middle half of them lies. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
  };
}

/** The value that so large a share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    share,
  );
}

/** Of a figure that is counted or computed and has no spread. */
export function exactly(value: number): Spread {
  return { median: value, low: value, high: value };
}

export function showSpread(spread: Spread | undefined): string {
  if (!spread) return '';
  const { median, low, high } = spread;
  if (low === high) return digits(median);
  return `${digits(median)} (${digits(low)} to ${digits(high)})`;
}

/** Three digits at least: that is more than carries over to another machine. */
export function digits(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : 2);
}

function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
