/** What a step shows when something happens to it. */
export interface Shown {
  readonly step: string;
  readonly what: string;
  readonly texts: readonly string[];
}

interface Row {
  readonly what: string;
  /** The steps, and their texts with placeholders. */
  readonly cells: readonly string[];
}

/**
 * Markdown with one row for each text instead of one for each step: the steps whose text differs
 * first, then all others. `head` names the columns: what happens, the steps, and the texts.
 */
export function messageTable(head: readonly string[], shown: readonly Shown[]): string {
  const steps = new Set(shown.map(({ step }) => step)).size;
  const happenings = Map.groupBy(shown, ({ what }) => what).values();
  const rows = [...happenings].flatMap((same) => rowsOf(same, same.length === steps));
  const merged = groups(rows, ({ what, cells }) => withoutStatus(what, cells).join('\n'));
  const lines = merged.map((group) => {
    const [{ what, cells } = { what: '', cells: [] }, ...others] = group;
    if (others.length === 0) return [what, ...cells];
    return [group.map((row) => row.what).join(', '), ...withoutStatus(what, cells)];
  });
  return [head, head.map(() => '---'), ...lines].map(lineOf).join('\n');
}

/** One row for each text that steps show when the same thing happens to them. */
function rowsOf(shown: readonly Shown[], isOfAllSteps: boolean): Row[] {
  const texts = groups(shown, (one) => templatesOf(one).join('\n'));
  return texts
    .toSorted((left, right) => left.length - right.length)
    .flatMap((group, index) => {
      const [first] = group;
      if (!first) return [];
      const isRest = isOfAllSteps && index === texts.length - 1 && group.length > 2;
      const rest = texts.length === 1 ? 'All' : 'All others';
      const names = isRest ? rest : group.map(({ step }) => step).join(', ');
      return [{ what: first.what, cells: [names, ...templatesOf(first)] }];
    });
}

/** The texts without what differs between steps. */
const templatesOf = ({ step, texts }: Shown): string[] =>
  texts.map((text) =>
    text
      .replaceAll(step.replace(/ by (?:name|ID)$/, ''), '*Step*')
      .replace(/\b[a-z_]+:(?:read|write)\b(?: or [a-z_]+:(?:read|write)\b)*/g, '*scope*')
      .replace(/ Cause: .*$/, ' Cause: …'),
  );

function withoutStatus(what: string, cells: readonly string[]): string[] {
  const status = /^\d{3}$|(?<=\()\d{3}(?=\))/.exec(what)?.[0];
  return cells.map((text) => text.replaceAll(`(${status})`, '(*status*)'));
}

const groups = <Entry>(entries: readonly Entry[], by: (entry: Entry) => string): Entry[][] => [
  ...Map.groupBy(entries, by).values(),
];

const lineOf = (cells: readonly string[]): string =>
  `| ${cells.map((text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
