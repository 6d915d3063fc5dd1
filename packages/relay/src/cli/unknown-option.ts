import { UsageError } from './usage-error.ts';

const flags = ['--json', '--help'];

/** Rejects an option that a command does not take, and names the nearest that it does. */
export function unknownOption(given: string, names: readonly string[]): UsageError {
  const [option = ''] = given.split('=');
  const known = [...names.map((name) => `--${name}`), ...flags];
  const [nearest] = known
    .map((name) => ({ name, edits: distance(option, name) }))
    .sort((a, b) => a.edits - b.edits);
  const isNear = nearest !== undefined && nearest.edits <= Math.ceil(nearest.name.length / 3);
  const hint = isNear ? `Did you mean ${nearest.name}?` : `Options here: ${known.join(', ')}.`;
  return new UsageError(`Unknown option "${option}". ${hint}`);
}

/** How many characters to insert, remove or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
