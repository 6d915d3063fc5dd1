import { writeSync } from 'node:fs';
import { fc } from '@fast-check/jest';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { Prism } from './prism.ts';
import { type Fuzzed, fuzzed } from './requests.ts';

const runs = Number(process.env.HOSTILE_REQUESTS ?? 10_000);
const seed = Number(process.env.HOSTILE_SEED ?? 20261121);
const endless = Number.MAX_SAFE_INTEGER;
const sandbox = createSandbox({
  clock: 'frozen',
  screens: 5,
  rateLimit: { requests: endless, tokenRequests: endless },
});
const tokens = sandbox.accesses.map(({ apiKey }) => apiKey);
const counts = new Map<string, number>();
let prism: Prism;

beforeAll(async () => {
  prism = await Prism.read();
});
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

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
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

/** What the document cannot say, so that Prism takes what the service refuses. */
const beyondSchemas =
  /credential|Authorization|access token|API key|scope|taken|active coupon|There is no|is given \d+ times|not one that a page|must be west|from|valid_until|Content-Type|at most 100|cannot be revoked|not offered|percent|only dots|half of a character|is not a field|Bearer|empty|JSON can hold|e-mail|client_id/i;

it(`answers ${runs} requests as its document says, and never fails`, async () => {
  await fc.assert(
    fc.asyncProperty(fuzzed(tokens), async (request) => {
      const { status, headers, json } = await ask(request);
      must(status < 500, `status ${status}: ${JSON.stringify(json)}`);
      if (status >= 400) checkProblem(status, headers['content-type'], json);
      count(`status ${status}`);
      // What reached another endpoint is not this one's to judge.
      if (request.method !== request.endpoint.method || status === 405) return;
      const onAnswer = prism.answer(request, status, headers, json);
      must(
        onAnswer.length === 0,
        `Prism on the answer ${status}: ${JSON.stringify(onAnswer)} for ${JSON.stringify(json)}`,
      );
      const onRequest = prism.request(request, parsed(request.body));
      if (status < 300 && onRequest.length > 0) {
        throw new Error(`Prism refuses what the service takes: ${JSON.stringify(onRequest)}`);
      }
      const detail = String((json as { detail?: unknown } | undefined)?.detail);
      if (status >= 400 && onRequest.length === 0 && !beyondSchemas.test(detail)) {
        throw new Error(`Prism takes what the service refuses: ${status} ${detail}`);
      }
    }),
    { numRuns: runs, seed },
  );
  expect(counts.get('status 200')).toBeGreaterThan(runs / 20);
}, 300_000);
