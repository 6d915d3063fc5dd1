import { createServer } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { environment } from '../../cli/command.ts';
import { listen } from '../../shared/support/loopback.ts';
import { node, startProgram } from '../../support/program.ts';

const mebibyte = 1024 * 1024;

/** 200 MiB of one letter, in 200 KB. */
function* bomb(): Generator<Buffer> {
  for (let nth = 0; nth < 200; nth += 1) yield Buffer.alloc(mebibyte, 'x');
}

it('a body of 200 MiB, compressed, is given up by the command line before it fills the memory', async () => {
  const { port, close } = await listen(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      Readable.from(bomb()).pipe(createGzip()).pipe(response);
    }),
  );
  const program = path.join(__dirname, 'bomb-program.ts');
  const { output, errors } = await startProgram(
    node,
    ['--conditions=source', '--no-warnings', program],
    { env: environment(`http://127.0.0.1:${port}/api/v1`, { apiKey: 'svc_key' }) },
  ).ended;
  const { code, peakBytes } = JSON.parse(errors);
  process.stdout.write(`Peak with a bomb: ${Math.round(peakBytes / mebibyte)} MiB\n`);
  expect(code).toBe(5);
  expect(output).toContain('sent more than 8388608 bytes, more than any response of the service.');
  expect(peakBytes).toBeGreaterThan(20 * mebibyte);
  expect(peakBytes).toBeLessThan(200 * mebibyte);
  await close();
}, 120_000);
