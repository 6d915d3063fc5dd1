import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { broken, type Case, head, refused, response, says } from '../case.ts';

const text = '{"a":1}';
const ok = `200 ${text}`;
const zipped = gzipSync(text);
const wrongSum = Uint8Array.from(zipped, (byte, at) => (at === zipped.length - 8 ? ~byte : byte));

const encoded = (
  encoding: string,
  body: string | Uint8Array,
  status = '200 OK',
  more: string[] = [],
) => says(response(status, body, [`content-encoding: ${encoding}`, ...more]));

const inGzip: readonly Case[] = [
  { name: 'gzip', reply: encoded('gzip', zipped), law: ok },
  { name: 'GZIP in capitals', reply: encoded('GZIP', zipped), law: ok },
  { name: 'x-gzip', reply: encoded('x-gzip', zipped), law: ok },
  {
    name: 'gzip in two parts',
    reply: encoded('gzip', Buffer.concat([gzipSync('{"a"'), gzipSync(':1}')])),
    law: ok,
  },
  { name: 'gzip twice', reply: encoded('gzip, gzip', gzipSync(zipped)), law: ok },
  { name: 'gzip of nothing', reply: encoded('gzip', gzipSync('')), law: '200 ' },
  { name: 'plain text as gzip', reply: encoded('gzip', text), law: broken },
  { name: 'half a body in gzip', reply: encoded('gzip', zipped.subarray(0, 14)), law: broken },
  { name: 'gzip without its end', reply: encoded('gzip', zipped.subarray(0, -8)), law: broken },
  { name: 'gzip with a wrong sum', reply: encoded('gzip', wrongSum), law: broken },
  { name: 'gzip once that claims to be twice', reply: encoded('gzip, gzip', zipped), law: broken },
  {
    name: 'gzip with something after it',
    reply: encoded('gzip', Buffer.concat([zipped, Buffer.from('tail')])),
    law: broken,
  },
  {
    name: 'gzip of more than 8 MiB',
    reply: encoded('gzip', gzipSync(Buffer.alloc(8 * 1024 * 1024 + 1, 'x'))),
    law: refused,
  },
];

const others: readonly Case[] = [
  { name: 'identity', reply: encoded('identity', text), law: ok },
  { name: 'an empty encoding', reply: encoded('', text), law: ok },
  {
    name: 'br, which was not requested',
    reply: encoded('br', brotliCompressSync(text)),
    law: refused,
  },
  {
    name: 'deflate, which was not requested',
    reply: encoded('deflate', deflateSync(text)),
    law: refused,
  },
  {
    name: 'deflate without its head',
    reply: encoded('deflate', deflateRawSync(text)),
    law: refused,
  },
  { name: 'an unknown encoding', reply: encoded('rot13', text), law: refused },
  { name: 'plain text as br', reply: encoded('br', text), law: refused },
];

/** What is empty has no encoding. */
const empty = ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'rot13'].map(
  (encoding): Case => ({
    name: `an empty body as ${encoding}`,
    reply: encoded(encoding, ''),
    law: '200 ',
  }),
);

const without: Case = {
  name: '204 as gzip',
  reply: says(head('204 No Content', ['content-encoding: gzip'])),
  law: '204 ',
};

/** From 300 on, the status stays, whatever the body. */
const known = ['307 Temporary', '404 Not Found', '429 Too Many', '503 Unavailable'].flatMap(
  (status) => {
    const code = Number.parseInt(status, 10);
    const law = `${code}  retry-after: 7`;
    const reply = (encoding: string, body: string | Uint8Array) =>
      encoded(encoding, body, status, ['retry-after: 7']);
    return [
      {
        name: `${code} in gzip`,
        reply: reply('gzip', zipped),
        law: `${code} ${text} retry-after: 7`,
      },
      { name: `${code} with plain text as gzip`, reply: reply('gzip', text), law },
      {
        name: `${code} with half a body in gzip`,
        reply: reply('gzip', zipped.subarray(0, 14)),
        law,
      },
      { name: `${code} with plain text as br`, reply: reply('br', text), law },
      { name: `${code} in an unknown encoding`, reply: reply('rot13', text), law },
      { name: `${code} with an empty body as gzip`, reply: reply('gzip', ''), law },
      { name: `${code} with an empty body as br`, reply: reply('br', ''), law },
    ];
  },
);

export const encodings: readonly Case[] = [...inGzip, ...others, ...empty, without, ...known];
