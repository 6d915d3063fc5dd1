import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const file = path.join(import.meta.dirname, 'floors.json');

/** Percent of the mutants that a test must notice, by key. */
export const floors = JSON.parse(readFileSync(file, 'utf8'));

/** How floors.json names a part, or a share of it. */
export const keyOf = (part, share) => (share === '1' ? part : `${part} (${share})`);

/** Raises the floor to the score of a report, and says so. A lower score changes nothing. */
export function record(key, report) {
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted) => states.filter((status) => wanted.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const all = noticed + count('Survived', 'NoCoverage');
  // A sample that holds no mutants says nothing.
  if (all === 0) throw new Error(`${key} has no mutants.`);
  const score = Math.floor((1000 * noticed) / all) / 10;
  floors[key] = Math.max(floors[key] ?? 0, score);
  writeFileSync(file, `${JSON.stringify(floors, null, 2)}\n`);
  return `${key}: ${noticed} of ${all} noticed. Its floor is ${floors[key]} %. Commit it.\n`;
}
