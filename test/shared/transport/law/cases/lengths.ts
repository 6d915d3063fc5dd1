import { broken, type Case, head, late, refused, resets, response, says, stays } from '../case.ts';

const length = (announced: string, status = '200 OK') =>
  head(status, ['retry-after: 7', `content-length: ${announced}`]);
const ok = '200 {"a":1} retry-after: 7';
const chunked = head('200 OK', ['transfer-encoding: chunked']);
const inChunks = (...lines: readonly string[]) => says(chunked, lines.join('\r\n'));
const much = 'x'.repeat(8 * 1024 * 1024 + 1);

const announced: readonly Case[] = [
  { name: 'a length that is right', reply: stays(length('7'), '{"a":1}'), law: ok },
  { name: 'an empty body', reply: stays(length('0')), law: '200  retry-after: 7' },
  { name: 'more than the length', reply: says(length('7'), '{"a":1}, and more'), law: ok },
  {
    name: 'a second response after the first',
    reply: says(length('7'), '{"a":1}', response('200 OK', '{"b":2}')),
    law: ok,
  },
  { name: 'less than the length', reply: says(length('9'), '{"a":1}'), law: broken },
  { name: 'a length, and no body', reply: says(length('9')), law: broken },
  { name: 'a reset within the body', reply: resets(length('9'), '{"a":1}'), law: broken },
  { name: 'a body that stops', reply: stays(length('9'), '{"a":1}'), law: late, isEndless: true },
  { name: 'a body that does not come', reply: stays(length('9')), law: late, isEndless: true },
  {
    name: 'a body that drips',
    reply: (socket) => {
      socket.write(length('1000'));
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    },
    law: late,
    isEndless: true,
  },
  { name: 'a length in words', reply: says(length('seven'), '{"a":1}'), law: broken },
  { name: 'a negative length', reply: says(length('-7'), '{"a":1}'), law: broken },
  { name: 'a length with a sign', reply: says(length('+7'), '{"a":1}'), law: broken },
  { name: 'a length beyond 2^64', reply: says(length('99999999999999999999'), '{'), law: broken },
  {
    name: 'two lengths that differ',
    reply: says(length('7\r\ncontent-length: 9'), '{"a":1}'),
    law: broken,
  },
  {
    name: 'a length and chunks',
    reply: says(length('7\r\ntransfer-encoding: chunked'), '7\r\n{"a":1}\r\n0\r\n\r\n'),
    law: broken,
  },
  {
    name: 'a body up to the end',
    reply: says(head('200 OK', ['x-a: 1']), '{"a":1}'),
    law: '200 {"a":1}',
  },
  {
    name: 'a body without length that stops',
    reply: stays(head('200 OK', ['x-a: 1']), '{"a":1}'),
    law: late,
    isEndless: true,
  },
  { name: 'more than 8 MiB', reply: says(length(String(much.length)), much), law: refused },
  {
    name: 'more than 8 MiB without a length',
    reply: says(head('200 OK', ['x-a: 1']), much),
    law: refused,
  },
];

const chunks: readonly Case[] = [
  { name: 'chunks', reply: inChunks('3', '{"a', '4', '":1}', '0', '', ''), law: '200 {"a":1}' },
  {
    name: 'a chunk with an extension',
    reply: inChunks('7;a=b', '{"a":1}', '0', '', ''),
    law: '200 {"a":1}',
  },
  {
    name: 'chunks with a trailer',
    reply: inChunks('7', '{"a":1}', '0', 'retry-after: 9', '', ''),
    law: '200 {"a":1}',
  },
  {
    name: 'chunks that stop',
    reply: stays(chunked, '7\r\n{"a":1}\r\n'),
    law: late,
    isEndless: true,
  },
  { name: 'no last chunk', reply: inChunks('7', '{"a":1}', ''), law: broken },
  { name: 'half a chunk', reply: inChunks('9', '{"a":1}'), law: broken },
  { name: 'a reset within a chunk', reply: resets(chunked, '9\r\n{"a":1}'), law: broken },
  { name: 'a chunk without a size', reply: inChunks('xyz', '{"a":1}'), law: broken },
  { name: 'a chunk beyond 2^64', reply: inChunks('fffffffffffffffff', '{"a":1}'), law: broken },
  {
    name: 'a chunk that is longer than its size',
    reply: inChunks('5', '{"a":1}', '0', '', ''),
    law: broken,
  },
];

/** From 300 on, the status stays, whatever the body. */
const known: readonly Case[] = [
  '307 Temporary',
  '404 Not Found',
  '429 Too Many',
  '503 Unavailable',
].flatMap((status): readonly Case[] => {
  const code = Number.parseInt(status, 10);
  const law = `${code}  retry-after: 7`;
  const broken = head(status, ['retry-after: 7', 'transfer-encoding: chunked']);
  return [
    { name: `${code}, then a reset`, reply: resets(length('9', status), '{'), law },
    { name: `${code} with half a chunk`, reply: says(broken, '9\r\n{'), law },
    { name: `${code} with a chunk without a size`, reply: says(broken, 'xyz\r\n'), law },
    {
      name: `${code} with more than 8 MiB`,
      reply: says(length(String(much.length), status), much),
      law,
    },
    {
      name: `${code} with a body that stops`,
      reply: stays(length('9', status), '{'),
      law,
      isEndless: true,
    },
  ];
});

const tooShort: Case = {
  name: '429 with less than the length',
  reply: says(length('9', '429 Too Many'), '{'),
  law: '429  retry-after: 7',
  isEndless: true,
};

export const lengths: readonly Case[] = [...announced, ...chunks, ...known, tooShort];
