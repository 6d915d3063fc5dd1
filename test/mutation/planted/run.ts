/**
 * `node run.ts [--in CHECKOUT] [--only core-1,n8n-2]`: plants one fault after the other in a
 * checkout, and runs tests until one fails: the one that noticed it last time, then those near the
 * changed file, every everyday one, and the slow ones of its part. Writes down which test file
 * noticed each, and fails if none notices a fault that one noticed before.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../structure/project.ts';

/** A change of the product that a test should notice. */
interface Fault {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  /** Whole lines that the file has once. */
  readonly before: string;
  readonly after: string;
  /** A test file that failed; undefined if none did. */
  noticedBy?: string;
  /** Why no test can notice it. */
  readonly equivalent?: string;
}

const { values } = parseArgs({
  options: { in: { type: 'string', default: root }, only: { type: 'string' } },
});
const tests = path.join(values.in, 'test');

/** A fault may keep tests from ending, which is noticed, too. */
const maxMs = 20 * 60_000;

type Tier = 'everyday' | 'full';

interface Outcome {
  readonly output: string;
  readonly code: number | null;
}

async function jest(tier: Tier, ...args: string[]): Promise<Outcome> {
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;
  const child = spawn(path.join(tests, 'node_modules/.bin/jest'), ['--silent', ...args], {
    cwd: tests,
    env: { ...process.env, PATH, TEST_TIER: tier },
    timeout: maxMs,
  });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await ended;
  return { output, code };
}

async function listed(tier: Tier, ...args: string[]): Promise<string[]> {
  const { output } = await jest(tier, '--listTests', ...args);
  return output.split('\n').filter((line) => line.endsWith('.test.ts'));
}

const isSlow = /\.slow\./;

const slowOf = async (folder: string) =>
  (await allOf('full', folder)).filter((file) => isSlow.test(file));

const allOf = (tier: Tier, folder = 'test/') => listed(tier, '--testPathPatterns', folder);

/** The first of these test files that fails. */
async function failing(tier: Tier, files: readonly string[]): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const { output, code } = await jest(tier, '--bail', '--runTestsByPath', ...files);
  if (code === 0) return undefined;
  if (code === null) return 'did not end';
  const [found, failed] = /^FAIL (\S+)[\s\S]*?(?=\n +at |$)/m.exec(output) ?? [];
  if (!found || !failed) throw new Error(`Jest did not run: ${output.slice(-2_000)}`);
  process.stdout.write(`${found.slice(0, 800)}\n`);
  return failed;
}

const folders: readonly (readonly [inProduct: RegExp, inTests: string])[] = [
  [/^shared\/src\/([^/]+)\//, 'shared'],
  [/^packages\/(?:n8n)-/, 'n8n'],
  [/^packages\/(?:zapier)-/, 'zapier'],
  [/^packages\/server-kit\//, 'sandbox/inspector'],
  [/^packages\/(?:relay|sandbox|cli|mcp)\/src\/([^/]+)\//, ''],
];

/** The tests of the part that a file belongs to. */
function partOf(file: string): string {
  const [part = ''] = /(?<=^packages\/)[^/]+|^shared/.exec(file) ?? [];
  const [, named] = folders.find(([inProduct]) => inProduct.test(file)) ?? [];
  return `test/${named || part.replace(/-.*/, '')}/`;
}

/** Those in the folder with the same name. */
function folderNear(file: string): string {
  const [pattern] = folders.find(([inProduct]) => inProduct.test(file)) ?? [];
  const inside = `${partOf(file)}${pattern?.exec(file)?.[1] ?? ''}`;
  return existsSync(path.join(values.in, inside)) ? inside : partOf(file);
}

const only = values.only?.split(',');
const listFile = path.join(import.meta.dirname, 'faults.json');
const list: { readonly faults: Fault[] } = JSON.parse(readFileSync(listFile, 'utf8'));
/** Faults that a test noticed before, or whose lines are gone. */
const missed: string[] = [];

async function noticing(fault: Fault): Promise<string | undefined> {
  const run = new Set<string>();
  const next = (files: readonly string[]) => {
    const left = files.filter((file) => !run.has(file));
    for (const file of left) run.add(file);
    return left;
  };
  const known = fault.noticedBy ? path.join(tests, fault.noticedBy) : '';
  const stages: readonly (readonly [Tier, () => Promise<string[]>])[] = [
    [isSlow.test(known) ? 'full' : 'everyday', async () => (existsSync(known) ? [known] : [])],
    ['everyday', () => allOf('everyday', folderNear(fault.file))],
    ['everyday', () => allOf('everyday')],
    ['full', () => slowOf(folderNear(fault.file))],
    ['full', () => slowOf(partOf(fault.file))],
  ];
  for (const [tier, files] of stages) {
    const failed = await failing(tier, next(await files()));
    if (failed) return failed;
  }
  return undefined;
}

for (const fault of list.faults) {
  if (fault.equivalent || (only && !only.includes(fault.id))) continue;
  const file = path.join(values.in, fault.file);
  const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (source.split(fault.before).length !== 2) {
    process.stdout.write(`${fault.id} is gone: ${fault.file}\n`);
    missed.push(fault.id);
    continue;
  }
  process.stdout.write(`\n${fault.id} ${fault.kind} ${fault.file}:${fault.line}\n${fault.after}\n`);
  writeFileSync(
    file,
    source.replace(fault.before, () => fault.after),
  );
  const startedAt = Date.now();
  let noticedBy: string | undefined;
  try {
    noticedBy = await noticing(fault);
  } finally {
    writeFileSync(file, source);
  }
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(`${fault.id} ${noticedBy ?? 'SURVIVED'} ${seconds} s\n`);
  if (fault.noticedBy && !noticedBy) missed.push(fault.id);
  if (noticedBy) fault.noticedBy = noticedBy;
  else delete fault.noticedBy;
  writeFileSync(listFile, `${JSON.stringify(list, undefined, 2)}\n`);
}
const meant = list.faults.filter(({ equivalent }) => !equivalent);
const noticed = meant.filter(({ noticedBy }) => noticedBy);
process.stdout.write(`${noticed.length} of ${meant.length} noticed\n`);
if (missed.length > 0) process.stdout.write(`Missed: ${missed.join(', ')}\n`);
process.exitCode = missed.length > 0 ? 1 : 0;
