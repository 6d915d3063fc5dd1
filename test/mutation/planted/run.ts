/**
 * `node run.ts [--in CHECKOUT] [--list omissions] [--only core-1,n8n-2]`: plants one fault after the
 * other in a checkout, and runs tests until one fails: the one that noticed it last time, then those
 * of its package, every everyday one, and the slow ones of its package. Writes down which test file
 * noticed each, and fails if none notices a fault that one noticed before.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../structure/project.ts';
import { launch } from '../../support/launch.ts';

/** Drawn by chance, and by reading what tired people forget. */
const lists = ['faults', 'omissions'];

/** A change of the product that a test should notice. */
interface Fault {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  /** Whole lines that the file has once. */
  readonly before: string;
  readonly after: string;
  /** A test file that failed; undefined if none did. */
  noticedBy?: string;
  /** Why no test can notice it. */
  readonly equivalent?: string;
}

const { values } = parseArgs({
  options: {
    in: { type: 'string', default: root },
    list: { type: 'string' },
    only: { type: 'string' },
  },
});
const tests = path.join(values.in, 'test');

/** A fault may keep tests from ending, which is noticed, too. One file ends much sooner. */
const maxMinutes = { ofOne: 3, ofMany: 20 };

/** The first test file that fails. */
async function failing(tier: 'everyday' | 'full', ...selection: string[]) {
  const isOne = selection.includes('--runTestsByPath');
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;
  const program = launch(
    path.join(tests, 'node_modules/.bin/jest'),
    ['--silent', '--bail', '--passWithNoTests', ...selection],
    { cwd: tests, env: { ...process.env, PATH, TEST_TIER: tier } },
  );
  const minutes = isOne ? maxMinutes.ofOne : maxMinutes.ofMany;
  const timer = setTimeout(() => program.kill(), minutes * 60_000);
  const { code } = await program.ended.finally(() => clearTimeout(timer));
  if (code === 0) return undefined;
  if (code === null) return `none ended: ${selection.join(' ')}`;
  const [found, failed] = /^FAIL (\S+)[\s\S]*?(?=\n +at |$)/m.exec(program.text) ?? [];
  if (!found || !failed) throw new Error(`Jest did not run: ${program.text.slice(-2_000)}`);
  process.stdout.write(`${found.slice(0, 800)}\n`);
  return failed;
}

/** The tests of the package that a file belongs to. */
function partOf(file: string): string {
  const [part] = /^shared|(?<=^packages\/)(?:n8n|zapier|[^/]+)/.exec(file) ?? [];
  return `/test/${part === 'server-kit' ? 'sandbox' : part}/`;
}

const only = values.only?.split(',');
/** Faults that a test noticed before, or whose lines are gone. */
const missed: string[] = [];

async function noticing({ file, noticedBy = '' }: Fault): Promise<string | undefined> {
  const tier = noticedBy.includes('.slow.') ? 'full' : 'everyday';
  const known = path.join(tests, noticedBy);
  const part = partOf(file);
  return (
    (noticedBy !== '' && existsSync(known)
      ? await failing(tier, '--runTestsByPath', known)
      : undefined) ??
    (await failing('everyday', '--testPathPatterns', part)) ??
    (await failing('everyday')) ??
    (await failing('full', '--testPathPatterns', `${part}.*\\.slow\\.`))
  );
}

/** Plants a fault, and returns whether its lines are there. */
async function plant(fault: Fault): Promise<boolean> {
  const file = path.join(values.in, fault.file);
  const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (source.split(fault.before).length !== 2) {
    process.stdout.write(`${fault.id} is gone: ${fault.file}\n`);
    missed.push(fault.id);
    return false;
  }
  process.stdout.write(`\n${fault.id} ${fault.kind} ${fault.file}\n${fault.after}\n`);
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
  if (!noticedBy) delete fault.noticedBy;
  else if (!noticedBy.startsWith('none ended')) fault.noticedBy = noticedBy;
  return true;
}

for (const name of values.list ? [values.list] : lists) {
  const listFile = path.join(import.meta.dirname, `${name}.json`);
  const { faults }: { readonly faults: Fault[] } = JSON.parse(readFileSync(listFile, 'utf8'));
  for (const fault of faults) {
    if (fault.equivalent || (only && !only.includes(fault.id))) continue;
    if (await plant(fault))
      writeFileSync(listFile, `${JSON.stringify({ faults }, undefined, 2)}\n`);
  }
  const meant = faults.filter(({ equivalent }) => !equivalent);
  const noticed = meant.filter(({ noticedBy }) => noticedBy);
  process.stdout.write(`${name}: ${noticed.length} of ${meant.length} noticed\n`);
}
if (missed.length > 0) process.stdout.write(`Missed: ${missed.join(', ')}\n`);
process.exitCode = missed.length > 0 ? 1 : 0;
