import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** One behavior of a server, and what a transport must make of it. */
export type Case = readonly [
  name: string,
  /** What the server does once the head of the request has arrived. */
  reply: Reply,
  /**
   * Status and body, or the code of the error and whether the request was sent. `final`: a retry
   * would not help.
   */
  law: string,
  /** The response is never complete: the time of the attempt ends it. Always so of what is `late`. */
  isEndless?: 'endless',
];

type Reply = (socket: Socket) => void;

export const broken = 'network_error, sent: maybe';
const refused = 'network_error, sent: maybe, final';
export const late = 'timeout, sent: maybe';

/** Sends these bytes, and closes the connection. */
function says(...parts: readonly (string | Uint8Array)[]): Reply {
  return (socket) => socket.end(bytes(parts));
}

/** Sends these bytes, and keeps the connection open. */
function stays(...parts: readonly (string | Uint8Array)[]): Reply {
  return (socket) => void socket.write(bytes(parts));
}

/** Sends these bytes, and breaks the connection off. */
function resets(...parts: readonly (string | Uint8Array)[]): Reply {
  return (socket) => void socket.write(bytes(parts), () => socket.resetAndDestroy());
}

/** Sends these bytes one at a time; at the end the connection stays open. */
function drips(text: string): Reply {
  return (socket) => {
    const rest = [...Buffer.from(text)];
    const next = (): void => {
      const byte = rest.shift();
      if (byte !== undefined && !socket.destroyed) socket.write(Buffer.from([byte]), next);
    };
    next();
  };
}

/** A whole response: the status line, headers, and a body with its length. */
function response(
  status: string,
  body: string | Uint8Array,
  headers: readonly string[] = [],
): Buffer {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return bytes([head(status, ['content-type: application/json', length, ...headers]), body]);
}

/**
 * The status line and headers, in the bytes of Latin-1. No connection carries a second case.
 */
function head(status: string, headers: readonly string[]): Buffer {
  const last = status.startsWith('1') ? [] : ['connection: close'];
  const lines = [`HTTP/1.1 ${status}`, ...headers, ...last];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function bytes(parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

const text = '{"a":1}';
const ok = `200 ${text}`;
const okResponse = response('200 OK', '{"a":1}');
const early = (status: string, headers: readonly string[] = []) =>
  says(head(status, headers), okResponse);

/** Statuses below 200 announce a response. */
const informational: readonly Case[] = [
  ['100 before the response', early('100 Continue'), ok],
  [
    '103 with headers before the response',
    early('103 Early Hints', ['link: </a>; rel=preload', 'retry-after: 9']),
    ok,
  ],
  ['100, then the end', says(head('100 Continue', [])), broken],
  ['100, then silence', stays(head('100 Continue', [])), late],
  [
    '101 that upgrades',
    stays(head('101 Switching Protocols', ['upgrade: websocket', 'connection: upgrade'])),
    broken,
  ],
  ['101 without a protocol', stays(head('101 Switching Protocols', ['x-a: 1'])), broken],
  [
    '101, then a response',
    says(head('101 Switching Protocols', ['upgrade: h2c', 'connection: upgrade']), okResponse),
    broken,
  ],
];

const retryAfter = ['retry-after: 7'];

/** Each is a response, whatever the status: the client decides. */
const plain = [
  '200 OK',
  '300 Multiple Choices',
  '401 Unauthorized',
  '407 Proxy Authentication Required',
  '421 Misdirected Request',
  '429 Too Many Requests',
  '599 Odd',
].map((status): Case => {
  const code = Number.parseInt(status, 10);
  return [
    `status ${code}`,
    says(response(status, '{"a":1}', retryAfter)),
    `${code} {"a":1} retry-after: 7`,
  ];
});

const redirects = ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'];
const targets = ['/0', 'https://elsewhere.example/', 'ftp://elsewhere.example/', '//', 'http://['];
const redirected = redirects.map((status, nth): Case => {
  const code = Number.parseInt(status, 10);
  const location = `location: ${targets[nth]}`;
  return [
    `status ${code} to ${targets[nth]}`,
    says(response(status, 'Moved', [location, ...retryAfter])),
    `${code} Moved retry-after: 7`,
  ];
});

const bodiless: readonly Case[] = [
  ['204', says(head('204 No Content', ['x-a: 1'])), '204 '],
  ['204 with a body', says(response('204 No Content', '{"a":1}')), '204 '],
  ['205 with a body', says(response('205 Reset Content', '{"a":1}')), '205 {"a":1}'],
  [
    '304 with a body',
    says(response('304 Not Modified', '{"a":1}', retryAfter)),
    '304  retry-after: 7',
  ],
  ['307 without a target', says(response('307 Temporary', '')), '307 '],
  ['404 without length and body', says(head('404 Not Found', retryAfter)), '404  retry-after: 7'],
];

const statuses: readonly Case[] = [...plain, ...redirected, ...bodiless];

const withHeader = (line: string) => says(response('200 OK', '{"a":1}', [line]));
const asIs = (text: string) => says(Buffer.from(text, 'latin1'));
const body = 'connection: close\r\ncontent-length: 7\r\n\r\n{"a":1}';

const nothing: readonly Case[] = [
  ['nothing, then the end', says(), broken],
  ['nothing, then a reset', (socket) => socket.resetAndDestroy(), broken],
  ['nothing at all', stays(), late],
  ['half a head, then the end', says('HTTP/1.1 200 OK\r\ncontent-'), broken],
  ['half a head, then a reset', resets('HTTP/1.1 200 OK\r\na'), broken],
];

const statusLines: readonly Case[] = [
  ['words instead of HTTP', says('What do you want?\r\n\r\n'), broken],
  ['the status 99', says(`HTTP/1.1 99 Odd\r\n${body}`), broken],
  ['a status line without words', says(`HTTP/1.1 200\r\n${body}`), ok],
  ['a status line with words beyond ASCII', asIs(`HTTP/1.1 200 Schön\r\n${body}`), ok],
  ['a whole response byte by byte', drips(String(okResponse)), ok],
  ['HTTP/1.0 with a length', says(`HTTP/1.0 200 OK\r\n${body}`), ok],
];

const headers: readonly Case[] = [
  ['a header named __proto__', withHeader('__proto__: 1'), ok],
  ['a header in Latin-1', withHeader('x-a: Schön'), ok],
  [
    'several headers of one name',
    withHeader('retry-after: 7\r\nRetry-After: 8'),
    '200 {"a":1} retry-after: 7, 8',
  ],
  ['several cookies', withHeader('set-cookie: a=1\r\nset-cookie: b=2'), ok],
  ['a header of 1 MB', withHeader(`x-a: ${'x'.repeat(1_000_000)}`), broken],
  [
    'a thousand headers',
    withHeader(Array.from({ length: 1000 }, (_, nth) => `x-${nth}: 1`).join('\r\n')),
    ok,
  ],
  ['a header without a colon', withHeader('x-a'), broken],
  ['a header without a name', withHeader(': 1'), broken],
  ['a space before a colon', withHeader('x-a : 1'), broken],
  ['a control character in a header', withHeader('x-a: \u0001'), broken],
  [
    'a head that never ends',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const pour = (): void => {
        while (!socket.destroyed && socket.write(`x-a: ${'x'.repeat(1000)}\r\n`));
      };
      socket.on('drain', pour);
      pour();
    },
    broken,
  ],
];

const heads: readonly Case[] = [...nothing, ...statusLines, ...headers];

const length = (announced: string, status = '200 OK') =>
  head(status, ['retry-after: 7', `content-length: ${announced}`]);
const okLater = '200 {"a":1} retry-after: 7';
const chunked = head('200 OK', ['transfer-encoding: chunked']);
const inChunks = (...lines: readonly string[]) => says(chunked, lines.join('\r\n'));
const much = 'x'.repeat(8 * 1024 * 1024 + 1);

const announced: readonly Case[] = [
  ['a length that is right', stays(length('7'), '{"a":1}'), okLater],
  ['an empty body', stays(length('0')), '200  retry-after: 7'],
  ['more than the length', says(length('7'), '{"a":1}, and more'), okLater],
  ['less than the length', says(length('9'), '{"a":1}'), broken],
  ['a length, and no body', says(length('9')), broken],
  ['a reset within the body', resets(length('9'), '{"a":1}'), broken],
  ['a body that stops', stays(length('9'), '{"a":1}'), late],
  [
    'a body that drips',
    (socket) => {
      socket.write(length('1000'));
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    },
    late,
  ],
  ['a length in words', says(length('seven'), '{"a":1}'), broken],
  ['a length beyond 2^64', says(length('99999999999999999999'), '{'), broken],
  ['two lengths that differ', says(length('7\r\ncontent-length: 9'), '{"a":1}'), broken],
  [
    'a length and chunks',
    says(length('7\r\ntransfer-encoding: chunked'), '7\r\n{"a":1}\r\n0\r\n\r\n'),
    broken,
  ],
  ['a body up to the end', says(head('200 OK', ['x-a: 1']), '{"a":1}'), ok],
  ['a body without length that stops', stays(head('200 OK', ['x-a: 1']), '{"a":1}'), late],
  [
    '8 MiB',
    says(length(String(much.length - 1)), much.slice(1)),
    `200 ${much.slice(0, 100)} retry-after: 7`,
  ],
  ['more than 8 MiB', says(length(String(much.length)), much), refused],
  ['more than 8 MiB without a length', says(head('200 OK', ['x-a: 1']), much), refused],
];

const chunks: readonly Case[] = [
  ['chunks', inChunks('3', '{"a', '4', '":1}', '0', '', ''), ok],
  ['chunks with a trailer', inChunks('7', '{"a":1}', '0', 'retry-after: 9', '', ''), ok],
  ['chunks that stop', stays(chunked, '7\r\n{"a":1}\r\n'), late],
  ['no last chunk', inChunks('7', '{"a":1}', ''), broken],
  ['half a chunk', inChunks('9', '{"a":1}'), broken],
  ['a reset within a chunk', resets(chunked, '9\r\n{"a":1}'), broken],
  ['a chunk without a size', inChunks('xyz', '{"a":1}'), broken],
  ['a chunk that is longer than its size', inChunks('5', '{"a":1}', '0', '', ''), broken],
];

/** From 300 on, the status stays, whatever the body. */
const redirectAndLimit = ['307 Temporary', '429 Too Many'];
const knownLengths: readonly Case[] = redirectAndLimit.flatMap((status): readonly Case[] => {
  const code = Number.parseInt(status, 10);
  const law = `${code}  retry-after: 7`;
  const broken = head(status, ['retry-after: 7', 'transfer-encoding: chunked']);
  return [
    [`${code}, then a reset`, resets(length('9', status), '{'), law],
    [`${code} with half a chunk`, says(broken, '9\r\n{'), law],
    [`${code} with a chunk without a size`, says(broken, 'xyz\r\n'), law],
    [`${code} with more than 8 MiB`, says(length(String(much.length), status), much), law],
    [`${code} with a body that stops`, stays(length('9', status), '{'), law, 'endless'],
  ];
});

const tooShort: Case = [
  '429 with less than the length',
  says(length('9', '429 Too Many'), '{'),
  '429  retry-after: 7',
  'endless',
];

const lengths: readonly Case[] = [...announced, ...chunks, ...knownLengths, tooShort];

const zipped = gzipSync(text);
const wrongSum = Uint8Array.from(zipped, (byte, at) => (at === zipped.length - 8 ? ~byte : byte));

const encoded = (
  encoding: string,
  body: string | Uint8Array,
  status = '200 OK',
  more: string[] = [],
) => says(response(status, body, [`content-encoding: ${encoding}`, ...more]));

const inGzip: readonly Case[] = [
  ['gzip', encoded('gzip', zipped), ok],
  ['GZIP in capitals', encoded('GZIP', zipped), ok],
  ['x-gzip', encoded('x-gzip', zipped), ok],
  ['gzip in two parts', encoded('gzip', Buffer.concat([gzipSync('{"a"'), gzipSync(':1}')])), ok],
  ['gzip twice', encoded('gzip, gzip', gzipSync(zipped)), ok],
  ['plain text as gzip', encoded('gzip', text), broken],
  ['half a body in gzip', encoded('gzip', zipped.subarray(0, 14)), broken],
  ['gzip without its end', encoded('gzip', zipped.subarray(0, -8)), broken],
  ['gzip with a wrong sum', encoded('gzip', wrongSum), broken],
  ['gzip once that claims to be twice', encoded('gzip, gzip', zipped), broken],
  [
    'gzip with something after it',
    encoded('gzip', Buffer.concat([zipped, Buffer.from('tail')])),
    broken,
  ],
  [
    'gzip of more than 8 MiB',
    encoded('gzip', gzipSync(Buffer.alloc(8 * 1024 * 1024 + 1, 'x'))),
    refused,
  ],
];

const others: readonly Case[] = [
  ['identity', encoded('identity', text), ok],
  ['br, which was not requested', encoded('br', brotliCompressSync(text)), refused],
  ['deflate, which was not requested', encoded('deflate', deflateSync(text)), refused],
  ['an unknown encoding', encoded('rot13', text), refused],
  ['plain text as br', encoded('br', text), refused],
];

/** What is empty has no encoding. */
const empty = ['gzip', 'br', 'rot13'].map(
  (encoding): Case => [`an empty body as ${encoding}`, encoded(encoding, ''), '200 '],
);

const without: Case = [
  '204 as gzip',
  says(head('204 No Content', ['content-encoding: gzip'])),
  '204 ',
];

const knownEncodings = redirectAndLimit.flatMap((status): readonly Case[] => {
  const code = Number.parseInt(status, 10);
  const law = `${code}  retry-after: 7`;
  const reply = (encoding: string, body: string | Uint8Array) =>
    encoded(encoding, body, status, ['retry-after: 7']);
  return [
    [`${code} in gzip`, reply('gzip', zipped), `${code} ${text} retry-after: 7`],
    [`${code} with plain text as gzip`, reply('gzip', text), law],
    [`${code} with half a body in gzip`, reply('gzip', zipped.subarray(0, 14)), law],
    [`${code} in an unknown encoding`, reply('rot13', text), law],
    [`${code} with an empty body as gzip`, reply('gzip', ''), law],
  ];
});

const encodings: readonly Case[] = [...inGzip, ...others, ...empty, without, ...knownEncodings];

/** What servers and proxies do, and what every transport must make of it. */
export const cases: readonly Case[] = [
  ...informational,
  ...statuses,
  ...heads,
  ...lengths,
  ...encodings,
];
