import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fc } from '@fast-check/jest';
import { afterAll, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { cases, seed } from '../../support/tier.ts';
import type { Exchange, Verdict } from './prism-judge.ts';
import { type Fuzzed, fuzzed } from './requests.ts';

const runs = cases(5000);
const endless = Number.MAX_SAFE_INTEGER;
const sandbox = createSandbox({
  clock: 'frozen',
  screens: 5,
  rateLimit: { requests: endless, tokenRequests: endless },
});
const tokens = sandbox.accesses.map(({ apiKey }) => apiKey);
const counts = new Map<string, number>();

afterAll(async () => {
  const lines = [...counts].sort().map(([what, count]) => `  ${count}: ${what}`);
  writeSync(1, `\nfuzzing: ${runs} requests\n${lines.join('\n')}\n`);
  await sandbox.close();
});

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

async function ask(request: Fuzzed) {
  const query = new URLSearchParams(request.query.map(([name, value]) => [name, value])).toString();
  const url = `http://sandbox/api/v1${request.path}${query && `?${query}`}`;
  const response = await sandbox.fetch(url, {
    method: request.method,
    headers: request.headers,
    ...(request.body !== undefined && { body: request.body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    json: parsed(text),
  };
}

function parsed(text = ''): unknown {
  try {
    // Decoding takes a byte order mark off.
    return JSON.parse(text.replace(/^\u{feff}/u, ''));
  } catch {
    return undefined;
  }
}

function checkProblem(status: number, type: string | undefined, body: unknown): void {
  must(type === 'application/problem+json', `status ${status} came as ${type}`);
  const problem = body as Record<string, unknown>;
  for (const member of ['type', 'title', 'detail']) {
    must(
      typeof problem[member] === 'string' && problem[member] !== '',
      `no ${member} in a problem`,
    );
  }
  must(problem.status === status, `a problem says ${problem.status} under status ${status}`);
  must(
    (problem.retry_after !== undefined) === (status === 429),
    'retry_after belongs to 429 alone',
  );
}

/** Everything that the service refuses and the document cannot say, so that Prism takes it. */
const beyondSchemas = [
  /^cursor is not from a page of this list\.$/,
  /^cursor was sent \d+ times\.$/,
  /^email or vat_uid must be set, but not both\.$/,
  /^(?:from|to|valid_until) must be a date in the format YYYY-MM-DD or a timestamp such as /,
  /^The coupon \S+ cannot be revoked: it /,
  /^(?:to|valid_until) must /,
  /^bbox must be west,south,east,north in degrees, such as /,
  /^discount_value must be at most 100 when discount_type is percent, not \d+\.$/,
];

const exchanges: Exchange[] = [];
const mostJudged = 2000;

const isBeyond = (detail: string) => beyondSchemas.some((known) => known.test(detail));

/** The service passes over members it does not know, which the document does not offer to send. */
const isUnknownMember = (finding: string): boolean => finding.includes('additional properties');

it(`handles ${runs} requests without failing, and refuses with problem documents`, async () => {
  await fc.assert(
    fc.asyncProperty(fuzzed(tokens), async (request) => {
      const { status, headers, json } = await ask(request);
      must(status < 500, `status ${status}: ${JSON.stringify(json)}`);
      if (status >= 400) checkProblem(status, headers['content-type'], json);
      count(`status ${status}`);
      // Prism fails on bodies nested thousands deep and on forms that are none.
      const isReadable =
        request.body === undefined ||
        (request.body.length < 8000 && request.headers['content-type'] === 'application/json');
      // It takes a parameter without a value for one that is not there.
      const isWhole = request.query.every(([, given]) => given !== '');
      const isDocumented = status !== 405 && request.method === request.endpoint.method;
      if (isDocumented && isReadable && isWhole && exchanges.length < mostJudged) {
        exchanges.push(exchangeOf(request, status, headers, json));
      }
    }),
    { numRuns: runs, seed },
  );
  expect(counts.get('status 200')).toBeGreaterThan(runs / 20);
});

it('Prism, which reads the same document, agrees on every request and response', async () => {
  const verdicts = await judgeWithPrism(exchanges);
  expect(verdicts.length).toBeGreaterThan(Math.min(runs, mostJudged) / 10);
  const isAgreed = verdicts.map(
    ({ onRequest }, index) => onRequest.length > 0 && exchanges[index]?.status === 400,
  );
  expect(isAgreed.filter(Boolean).length).toBeGreaterThan(verdicts.length / 20);
  const disputes = verdicts.flatMap(({ onRequest, onAnswer }, index) => {
    const exchange = exchanges[index];
    if (!exchange) throw new Error('There is a verdict on nothing.');
    const { status, body } = exchange;
    const detail = String((body as { detail?: unknown } | undefined)?.detail);
    const isTaken = status < 300 && !onRequest.every(isUnknownMember);
    const isRefused = status === 400 && onRequest.length === 0 && !isBeyond(detail);
    const isDisputed = onAnswer.length > 0 || isTaken || isRefused;
    return isDisputed ? [{ exchange, onRequest, onAnswer }] : [];
  });
  expect(disputes).toEqual([]);
  count(`${verdicts.length} exchanges judged by Prism`);
});

function exchangeOf(
  request: Fuzzed,
  status: number,
  headers: Record<string, string>,
  body: unknown,
): Exchange {
  const requestBody = parsed(request.body);
  return {
    method: request.method,
    template: request.endpoint.path,
    path: request.path,
    query: Object.fromEntries(request.query),
    requestHeaders: request.headers,
    ...(requestBody !== undefined && { requestBody }),
    status,
    headers,
    body,
  };
}

/** Prism's verdict on each exchange, in their order. */
async function judgeWithPrism(exchanges: readonly Exchange[]): Promise<Verdict[]> {
  const lines = exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`);
  const program = path.join(__dirname, 'prism-judge.ts');
  const judge = spawn(process.execPath, ['--conditions=source', '--no-warnings', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const verdicts: Verdict[] = [];
  const reading = (async () => {
    for await (const line of createInterface({ input: judge.stdout })) {
      verdicts.push(JSON.parse(line) as Verdict);
    }
  })();
  judge.stdin.write(lines.join(''));
  judge.stdin.end();
  await reading;
  if (verdicts.length !== exchanges.length) throw new Error('Prism gave up.');
  return verdicts;
}
