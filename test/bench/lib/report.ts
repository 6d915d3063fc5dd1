import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { type Goal, isMet, type Section, type Table } from './section.ts';
import { digits, showSpread } from './spread.ts';
import { siblingPath } from './worker.ts';

/** One part as Markdown, which reads well in a terminal too. */
export function sectionText({ title, intro, tables, goals }: Section): string {
  return [`## ${title}`, intro, ...tables.map(tableText), goalsText(goals), ''].join('\n\n');
}

/** The whole of docs/benchmarks.md. */
export async function documentOf(sections: readonly Section[]): Promise<string> {
  const goals = sections.flatMap((section) => section.goals);
  const met = goals.filter(isMet).length;
  return `# Benchmarks

\`pnpm run bench\` measures this project next to its peers and writes this page. ${met} of ${goals.length} goals are met.

## How to read it

- Figures are ratios unless a heading says otherwise, since only ratios carry over to another machine.
- Contestants take many short turns, so other load affects all alike. Parts and clients run in separate processes.
- Figures are medians; brackets show the middle half.
- \`pnpm run bench --short\` takes two minutes and fails when a figure misses its goal by more than half in three quarters of its turns, twice. \`pnpm run bench clients\` runs one part.

## Where it ran

${await machine()}

${sections.map(sectionText).join('\n')}`;
}

async function machine(): Promise<string> {
  const [{ model } = { model: 'unknown' }, ...more] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const lines = [
    `${more.length + 1} × ${model.trim()}, ${memory} GB, ${process.platform} ${process.arch}`,
    `Node.js ${process.version}`,
    `\`${await peerVersions()}\``,
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

async function peerVersions(): Promise<string> {
  const manifest = JSON.parse(
    await readFile(siblingPath(import.meta.url, '../package.json'), 'utf8'),
  );
  const peers: Record<string, string> = manifest.devDependencies;
  return Object.entries(peers)
    .filter(([, version]) => !version.startsWith('workspace:'))
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

/** Only what is missed has a row. What is met can be read from the tables. */
function goalsText(goals: readonly Goal[]): string {
  const missed = goals.filter((goal) => !isMet(goal));
  const count = `${goals.length - missed.length} of ${goals.length} goals met.`;
  if (missed.length === 0) return count;
  const rows = missed.map(({ what, bound, value }) => [what, boundText(bound), showSpread(value)]);
  return `${count}\n\n${tableText({ head: ['missed goal', 'bound', 'measured'], rows })}`;
}

const boundText = (bound: Goal['bound']): string =>
  'atMost' in bound ? `at most ${digits(bound.atMost)}` : `at least ${digits(bound.atLeast)}`;

function tableText({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
