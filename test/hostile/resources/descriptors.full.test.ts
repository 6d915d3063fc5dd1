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
async function run(
  kind: 'default' | 'undici',
  files: number,
  calls: number,
  maxConnections = '',
): Promise<unknown> {
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
    kind,
    maxConnections,
  ]).ended;
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return JSON.parse(output);
}

describe('a process that may open few files', () => {
  it.each([
    ['undici', 1024, 10_000],
    ['default', 1024, 10_000],
    ['undici', 256, 2000],
    ['default', 256, 2000],
  ] as const)(
    'loses none of its calls at once, over the transport %s with %i files',
    async (kind, files, calls) => {
      expect(await run(kind, files, calls)).toEqual({ done: calls, failed: 0 });
    },
    300_000,
  );

  it('gets an error that names the cause, not the base URL, when it wants more connections than that', async () => {
    expect(await run('undici', 128, 500, '500')).toMatchObject({
      first: {
        code: 'network_error',
        sent: 'no',
        isRetryable: true,
        message: expect.stringMatching(
          /^127\.0\.0\.1:\d+ was not contacted, because this process has too many open files and connections \(EMFILE\)\. Send fewer requests at once, or raise the limit \(ulimit -n\)\.$/,
        ),
      },
    });
  }, 300_000);
});
