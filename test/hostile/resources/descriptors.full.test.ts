import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import { node, startProgram } from '../../support/program.ts';

let server: Listening;
beforeAll(async () => {
  server = await listen(
    createServer((_request, response) => response.end('{"data":{"exists":false}}')),
  );
});
afterAll(() => server.close());

/** Calls at once in a process that may have so many files open, and how they ended. */
async function run(files: number, calls: number, maxConnections = ''): Promise<unknown> {
  const program = path.join(__dirname, 'descriptors-program.ts');
  const { code, output, errors } = await startProgram('sh', [
    '-c',
    'ulimit -n "$1"; shift; exec "$@"',
    'sh',
    String(files),
    node,
    '--conditions=source',
    '--no-warnings',
    program,
    `http://127.0.0.1:${server.port}/api/v1`,
    String(calls),
    maxConnections,
  ]).ended;
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return JSON.parse(output);
}

describe('a process that may open few files', () => {
  it('loses none of 10,000 calls at once, with the limit off', async () => {
    expect(await run(1024, 10_000)).toEqual({ done: 10_000, failed: 0 });
  }, 300_000);

  it('loses none with a quarter as many files', async () => {
    expect(await run(256, 2000)).toEqual({ done: 2000, failed: 0 });
  }, 300_000);

  it('is told so when it wants more connections than that, and not that the base URL is wrong', async () => {
    expect(await run(128, 500, '500')).toMatchObject({
      first: {
        code: 'network_error',
        sent: 'no',
        isRetryable: true,
        message: expect.stringMatching(
          /^127\.0\.0\.1:\d+ was not called, because this process has too many files and connections open \(EMFILE\)\. Send fewer requests at once, or raise the limit \(ulimit -n\)\.$/,
        ),
      },
    });
  }, 300_000);
});
