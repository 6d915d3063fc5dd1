const dayMs = 24 * 60 * 60 * 1000;

/** The days of a period whose ends are written YYYY-MM-DD, both of them included. */
export function daysOf({ from, to }: { readonly from: string; readonly to: string }): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}
