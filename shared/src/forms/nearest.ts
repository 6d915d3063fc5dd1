/** The value that a person most likely meant, if any is close to what they wrote. */
export function nearestSpelling(written: string, values: readonly string[]): string | undefined {
  const wanted = withoutCaseAndAccents(written);
  // One mistake in three letters: with more, anything is close to a short name.
  const closest = { value: undefined as string | undefined, edits: (wanted.length + 1) / 3 };
  for (const value of values) {
    const edits = editsBetween(wanted, withoutCaseAndAccents(value));
    if (edits > closest.edits || (edits === closest.edits && closest.value !== undefined)) continue;
    Object.assign(closest, { value, edits });
  }
  return closest.value;
}

/** Letters that Unicode does not take apart. */
const letters: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŧ: 't' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
};

/** Without case and accents: `Łódź` and `lodz` are the same. */
export function withoutCaseAndAccents(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  // The lower case of a letter may have another mark.
  return bare.replace(/\p{M}/gu, '').replace(/\P{ASCII}/gu, (letter) => letters[letter] ?? letter);
}

/** The fewest letters to add, leave out or replace (Levenshtein), one row of the table at a time. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_none, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (let at = 0; at < other.length; at += 1) {
      const replaced = (row[at] ?? 0) + (letter === other[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
