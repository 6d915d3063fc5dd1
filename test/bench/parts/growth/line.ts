/** The straight line through points, and how well they lie on it: 1 is exactly. */
export interface Line {
  readonly slope: number;
  readonly fit: number;
}

export function lineThrough(points: readonly (readonly [x: number, y: number])[]): Line {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const products = points.map(([x, y]) => (x - meanX) * (y - meanY));
  const slope = mean(products) / mean(points.map(([x]) => (x - meanX) ** 2));
  const rest = mean(points.map(([x, y]) => (y - meanY - slope * (x - meanX)) ** 2));
  const spread = mean(points.map(([, y]) => (y - meanY) ** 2));
  return { slope, fit: spread === 0 ? 1 : 1 - rest / spread };
}
