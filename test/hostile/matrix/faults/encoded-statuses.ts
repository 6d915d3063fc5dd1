import { gzipSync } from 'node:zlib';
import type { Fault } from '../fault.ts';

const encodings: readonly [name: string, encoding: string, encode: (text: string) => Uint8Array][] =
  [
    ['in gzip', 'gzip', (text) => gzipSync(text)],
    ['in plain text that claims to be gzip', 'gzip', (text) => Buffer.from(text)],
    ['in half of its gzip', 'gzip', (text) => gzipSync(text).subarray(0, 20)],
    ['in plain text that claims to be br', 'br', (text) => Buffer.from(text)],
    ['in an unknown encoding', 'rot13', (text) => Buffer.from(text)],
    ['empty, and gzip', 'gzip', () => Buffer.of()],
  ];

const wait = 30;

/**
 * The content type says that it is the service's, and the status what happened, whatever becomes of
 * the body.
 */
export const encodedStatuses: readonly Fault[] = [400, 403, 404, 409, 429, 500, 503].flatMap(
  (status) =>
    encodings.map(([name, encoding, encode]) => ({
      name: `${status} ${name}`,
      effect: {
        kind: 'refused',
        status,
        hasProblem: true,
        isApplied: false,
        ...(status === 429 && { wait }),
      },
      strike: async (response) => {
        const type = { 'content-type': 'application/problem+json', 'content-encoding': encoding };
        if (status === 429) response.setHeader('retry-after', wait);
        response.writeHead(status, type);
        response.end(encode(JSON.stringify({ title: 'A title', status, detail: 'A fault.' })));
      },
    })),
);
