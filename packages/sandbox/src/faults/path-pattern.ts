/** A segment can also be a parameter in the catalogue's notation, such as {code}. */
const stars = /(\*\*|\*|\{\w+\})/;

/** Whether a path matches. `*` matches one segment, `**` any rest. */
export type PathPattern = (path: string) => boolean;

/**
 * Tracks all possible matches at once, part by part. A regular expression would backtrack, which
 * takes forever for a pattern with many stars.
 */
export function pathPattern(pattern: string): PathPattern {
  const parts = pattern.split(stars).filter((part) => part !== '');
  return (path) => {
    // Positions in the path where the parts so far may end, in ascending order.
    let ends: readonly number[] = [0];
    for (const part of parts) ends = endsAfter(part, path, ends);
    return ends.at(-1) === path.length;
  };
}

function endsAfter(part: string, path: string, starts: readonly number[]): readonly number[] {
  if (part === '**') return from(starts[0] ?? path.length + 1, path.length);
  if (!stars.test(part)) {
    return starts
      .filter((start) => path.startsWith(part, start))
      .map((start) => start + part.length);
  }
  const ends: number[] = [];
  for (const start of starts) {
    const slash = path.indexOf('/', start);
    // Skips what an earlier start has already reached.
    const first = Math.max(start + 1, (ends.at(-1) ?? 0) + 1);
    ends.push(...from(first, slash === -1 ? path.length : slash));
  }
  return ends;
}

function from(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
