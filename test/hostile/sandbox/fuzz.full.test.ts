import { writeSync } from 'node:fs';
import { fc } from '@fast-check/jest';
import { afterAll, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { parseJsonOr } from '../../../shared/src/json.ts';
import { cases, seed } from '../../support/tier.ts';
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
  const { status, headers } = response;
  return { status, type: headers.get('content-type'), json: parseJsonOr(text, undefined) };
}

function checkProblem(status: number, type: string | null, body: unknown): void {
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

it(`handles ${runs} requests without failing, and refuses with problem documents`, async () => {
  await fc.assert(
    fc.asyncProperty(fuzzed(tokens), async (request) => {
      const { status, type, json } = await ask(request);
      must(status < 500, `status ${status}: ${JSON.stringify(json)}`);
      if (status >= 400) checkProblem(status, type, json);
      count(`status ${status}`);
    }),
    { numRuns: runs, seed },
  );
  expect(counts.get('status 200')).toBeGreaterThan(runs / 20);
});
