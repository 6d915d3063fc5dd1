/** A segment can also be written as the catalogue does, such as {code}. */
const stars = /(\*\*|\*|\{\w+\})/;

/** Tells whether a path is meant. `*` stands for one segment, `**` for any rest. */
export type PathPattern = (path: string) => boolean;

/**
 * Follows all ways to match at once, part by part: a regular expression would try them one by one,
 * which takes for ever where a pattern has many stars.
 */
export function pathPattern(pattern: string): PathPattern {
  const parts = pattern.split(stars).filter((part) => part !== '');
  return (path) => {
    // Where in the path the parts so far may end, in rising order.
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
    // What an earlier start has reached already is not gone over again.
    const first = Math.max(start + 1, (ends.at(-1) ?? 0) + 1);
    ends.push(...from(first, slash === -1 ? path.length : slash));
  }
  return ends;
}

function from(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
