import { broken, type Case, drips, head, late, resets, response, says, stays } from '../case.ts';

const ok = response('200 OK', '{"a":1}');
const withHeader = (line: string) => says(response('200 OK', '{"a":1}', [line]));
const asIs = (text: string) => says(Buffer.from(text, 'latin1'));
const body = 'connection: close\r\ncontent-length: 7\r\n\r\n{"a":1}';

const nothing: readonly Case[] = [
  { name: 'nothing, then the end', reply: says(), law: broken },
  { name: 'nothing, then a reset', reply: (socket) => socket.resetAndDestroy(), law: broken },
  { name: 'nothing at all', reply: stays(), law: late, isEndless: true },
  {
    name: 'half a head, then silence',
    reply: stays('HTTP/1.1 200 OK\r\ncontent-'),
    law: late,
    isEndless: true,
  },
  { name: 'half a head, then the end', reply: says('HTTP/1.1 200 OK\r\ncontent-'), law: broken },
  { name: 'half a head, then a reset', reply: resets('HTTP/1.1 200 OK\r\na'), law: broken },
  { name: 'half a status line, then the end', reply: says('HTTP/1.1 2'), law: broken },
];

const statusLines: readonly Case[] = [
  { name: 'words instead of HTTP', reply: says('What do you want?\r\n\r\n'), law: broken },
  { name: 'JSON instead of HTTP', reply: says('{"a":1}'), law: broken },
  { name: 'zeros instead of HTTP', reply: says(new Uint8Array(64)), law: broken },
  { name: 'the version HTTP/4.2', reply: says(`HTTP/4.2 200 OK\r\n${body}`), law: broken },
  { name: 'the status 99', reply: says(`HTTP/1.1 99 Odd\r\n${body}`), law: broken },
  { name: 'the status abc', reply: says(`HTTP/1.1 abc Odd\r\n${body}`), law: broken },
  { name: 'the status -1', reply: says(`HTTP/1.1 -1 Odd\r\n${body}`), law: broken },
  { name: 'the status 1000', reply: says(`HTTP/1.1 1000 Odd\r\n${body}`), law: broken },
  {
    name: 'a status line without words',
    reply: says(`HTTP/1.1 200\r\n${body}`),
    law: '200 {"a":1}',
  },
  {
    name: 'a status line with words beyond ASCII',
    reply: asIs(`HTTP/1.1 200 Schön\r\n${body}`),
    law: '200 {"a":1}',
  },
  { name: 'a whole response byte by byte', reply: drips(String(ok)), law: '200 {"a":1}' },
  {
    name: 'HTTP/1.0 with a length',
    reply: says(`HTTP/1.0 200 OK\r\n${body}`),
    law: '200 {"a":1}',
  },
];

const headers: readonly Case[] = [
  { name: 'an empty header', reply: withHeader('x-a:'), law: '200 {"a":1}' },
  {
    name: 'a header with odd letters',
    reply: withHeader("x!#$%&'*+-.^_`|~1: 1"),
    law: '200 {"a":1}',
  },
  { name: 'a header named __proto__', reply: withHeader('__proto__: 1'), law: '200 {"a":1}' },
  { name: 'a header in Latin-1', reply: withHeader('x-a: Schön'), law: '200 {"a":1}' },
  { name: 'a header with tabs', reply: withHeader('x-a:\t1\t2\t'), law: '200 {"a":1}' },
  {
    name: 'several headers of one name',
    reply: withHeader('retry-after: 7\r\nRetry-After: 8'),
    law: '200 {"a":1} retry-after: 7, 8',
  },
  {
    name: 'several cookies',
    reply: withHeader('set-cookie: a=1\r\nset-cookie: b=2'),
    law: '200 {"a":1}',
  },
  {
    name: 'a header of 10 KB',
    reply: withHeader(`x-a: ${'x'.repeat(10_000)}`),
    law: '200 {"a":1}',
  },
  { name: 'a header of 1 MB', reply: withHeader(`x-a: ${'x'.repeat(1_000_000)}`), law: broken },
  {
    name: 'a thousand headers',
    reply: withHeader(Array.from({ length: 1000 }, (_, nth) => `x-${nth}: 1`).join('\r\n')),
    law: '200 {"a":1}',
  },
  { name: 'a header without a colon', reply: withHeader('x-a'), law: broken },
  { name: 'a header without a name', reply: withHeader(': 1'), law: broken },
  { name: 'a space before a colon', reply: withHeader('x-a : 1'), law: broken },
  { name: 'a control character in a header', reply: withHeader('x-a: \u0001'), law: broken },
  { name: 'a NUL in a header', reply: withHeader('x-a: \u0000'), law: broken },
  {
    name: 'a head that never ends',
    reply: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const pour = (): void => {
        while (!socket.destroyed && socket.write(`x-a: ${'x'.repeat(1000)}\r\n`));
      };
      socket.on('drain', pour);
      pour();
    },
    law: broken,
  },
  {
    name: 'a head that is not complete',
    reply: says(head('200 OK', ['content-length: 2']).subarray(0, -2)),
    law: broken,
  },
];

export const heads: readonly Case[] = [...nothing, ...statusLines, ...headers];
