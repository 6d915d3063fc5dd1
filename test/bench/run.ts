import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { documentOf, sectionText } from './lib/report.ts';
import { type Goal, isFarBeyond, isMet, type Part, type Section } from './lib/section.ts';
import { siblingPath } from './lib/worker.ts';
import clients from './parts/clients/index.ts';
import n8n from './parts/n8n/index.ts';
import relay from './parts/relay/index.ts';

/** Each measures in separate processes, so what one part loads never slows another. */
const parts: Readonly<Record<string, Part>> = { clients, n8n, relay };

/** In continuous integration other work disturbs: only what is far beyond its goal is a failure. */
const farBeyond = 1.5;

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const isShort = values.short;
const chosen = positionals.length > 0 ? positionals : Object.keys(parts);

const isSlow = (goal: Goal): boolean => isFarBeyond(goal, farBeyond);

const sections: Section[] = [];
/** What is slow is slow twice; a machine that was busy just now may not be. */
const failed: Goal[] = [];
for (const name of chosen) {
  const measure = parts[name];
  if (!measure) throw new Error(`There is no part ${name}; there are ${Object.keys(parts)}.`);
  let section = await measure(isShort);
  const slow = section.goals.filter(isSlow).map(({ what }) => what);
  if (isShort && slow.length > 0) {
    section = await measure(isShort);
    failed.push(...section.goals.filter((goal) => isSlow(goal) && slow.includes(goal.what)));
  }
  sections.push(section);
  process.stdout.write(`${sectionText(section)}\n`);
}

const goals = sections.flatMap((section) => section.goals);
const missed = goals.filter((goal) => !isMet(goal));
process.stdout.write(`${goals.length - missed.length} of ${goals.length} goals met.\n`);
for (const { what } of missed) process.stdout.write(`Missed: ${what}\n`);

if (isShort) {
  for (const { what } of failed) process.stdout.write(`Far beyond its goal: ${what}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} else if (positionals.length === 0) {
  await writeFile(
    siblingPath(import.meta.url, '../../docs/benchmarks.md'),
    await documentOf(sections),
  );
}
