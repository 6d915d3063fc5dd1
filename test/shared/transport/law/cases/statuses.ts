import { type Case, head, response, says } from '../case.ts';

const retryAfter = ['retry-after: 7'];

/** Each is a response, whatever the status: the client decides. */
const plain = [
  '200 OK',
  '201 Created',
  '202 Accepted',
  '206 Partial Content',
  '226 IM Used',
  '299 Odd',
  '300 Multiple Choices',
  '400 Bad Request',
  '401 Unauthorized',
  '402 Payment Required',
  '403 Forbidden',
  '404 Not Found',
  '405 Method Not Allowed',
  '406 Not Acceptable',
  '407 Proxy Authentication Required',
  '408 Request Timeout',
  '409 Conflict',
  '410 Gone',
  '413 Content Too Large',
  '415 Unsupported Media Type',
  '417 Expectation Failed',
  '421 Misdirected Request',
  '422 Unprocessable Content',
  '425 Too Early',
  '426 Upgrade Required',
  '429 Too Many Requests',
  '431 Headers Too Large',
  '451 Unavailable',
  '499 Odd',
  '500 Internal Server Error',
  '501 Not Implemented',
  '502 Bad Gateway',
  '503 Unavailable',
  '504 Gateway Timeout',
  '511 Network Authentication Required',
  '599 Odd',
].map((status): Case => {
  const code = Number.parseInt(status, 10);
  return {
    name: `status ${code}`,
    reply: says(response(status, '{"a":1}', retryAfter)),
    law: `${code} {"a":1} retry-after: 7`,
  };
});

const redirects = ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'];
const targets = ['/0', 'https://elsewhere.example/', 'ftp://elsewhere.example/', '//', 'http://['];
const redirected = redirects.map((status, nth): Case => {
  const code = Number.parseInt(status, 10);
  const location = `location: ${targets[nth]}`;
  return {
    name: `status ${code} to ${targets[nth]}`,
    reply: says(response(status, 'Moved', [location, ...retryAfter])),
    law: `${code} Moved retry-after: 7`,
  };
});

const bodiless: readonly Case[] = [
  { name: '204', reply: says(head('204 No Content', ['x-a: 1'])), law: '204 ' },
  {
    name: '204 with a body',
    reply: says(response('204 No Content', '{"a":1}')),
    law: '204 ',
  },
  {
    name: '204 with a body in chunks',
    reply: says(head('204 No Content', ['transfer-encoding: chunked']), '1\r\na\r\n0\r\n\r\n'),
    law: '204 ',
  },
  { name: '205', reply: says(response('205 Reset Content', '')), law: '205 ' },
  {
    name: '205 with a body',
    reply: says(response('205 Reset Content', '{"a":1}')),
    law: '205 {"a":1}',
  },
  { name: '304', reply: says(head('304 Not Modified', ['etag: "1"'])), law: '304 ' },
  {
    name: '304 with a body',
    reply: says(response('304 Not Modified', '{"a":1}', retryAfter)),
    law: '304  retry-after: 7',
  },
  { name: '307 without a target', reply: says(response('307 Temporary', '')), law: '307 ' },
  {
    name: '404 without length and body',
    reply: says(head('404 Not Found', retryAfter)),
    law: '404  retry-after: 7',
  },
];

export const statuses: readonly Case[] = [...plain, ...redirected, ...bodiless];
