import { deflateSync, gzipSync } from 'node:zlib';
import type { RawRequest } from '../../support/raw-request.ts';

const eventOf = (id: string) =>
  JSON.stringify({ id, type: 'campaign.paid', data: { id: 'cmp_1' } });
const event = eventOf('evt_stranger');
const form = '--b\r\ncontent-disposition: form-data; name="id"\r\n\r\n1\r\n--b--\r\n';
/** n8n accepts 16 MB by default. */
const tooLarge = Buffer.alloc(17 * 1024 * 1024, 0x20);

const json = { 'content-type': 'application/json' };
const bytes = { 'content-type': 'application/octet-stream' };
const parts = { 'content-type': 'multipart/form-data; boundary=b' };

/** A body as it is sent by some: compressed, slowly, in chunks. */
const sendings: Readonly<Record<string, (body: string) => Partial<RawRequest>>> = {
  'in gzip': (body) => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(body) }),
  'in deflate': (body) => ({ headers: { 'content-encoding': 'deflate' }, body: deflateSync(body) }),
  slow: () => ({ pieces: 5 }),
  'in chunks': () => ({ chunked: true }),
};

/** Unusual, but a trigger can read it: with a signature each of them starts an execution. */
const readable: readonly ((body: string) => RawRequest)[] = [
  (body) => ({ name: 'no content type', body }),
  ...[
    '',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'image/png',
    'not a type',
  ].map((type) => (body: string) => ({
    name: `content type "${type}"`,
    headers: { 'content-type': type },
    body,
  })),
  ...[json, bytes].flatMap((headers) =>
    Object.entries(sendings).map(([name, send]) => (body: string) => {
      const sent = send(body);
      return {
        name: `${headers['content-type']} ${name}`,
        body,
        ...sent,
        headers: { ...headers, ...sent.headers },
      };
    }),
  ),
];

const unreadable: readonly RawRequest[] = [
  ...[
    'application/json; charset=utf-16',
    'application/JSON;charset=nonsense',
    'application/soap+xml',
    'multipart/related',
    'multipart/form-data',
    'multipart/form-data; boundary=other',
    'multipart/form-data; boundary=b',
  ].map((type) => ({
    name: `content type "${type}"`,
    headers: { 'content-type': type },
    body: type.startsWith('multipart') ? form : event,
  })),
  ...[bytes, parts].flatMap((headers) => lying(headers)),
  ...[
    ['nothing', ''],
    ['malformed JSON', '{"id":'],
    ['bytes that are no text', Buffer.from([0, 255, 254, 0, 128])],
  ].flatMap(([name, body = '']) =>
    [json, bytes].map((headers) => ({
      name: `${headers['content-type']}: ${name}`,
      headers,
      body,
    })),
  ),
  { name: '17 MB', headers: bytes, announces: tooLarge.length },
  { name: 'a form, in chunks', headers: parts, body: form, chunked: true },
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
    name: `method ${method}`,
    method,
    headers: json,
    body: method === 'GET' || method === 'HEAD' ? '' : event,
  })),
  ...['', 't=1,v1=00', 'x'.repeat(8000)].map((signature) => ({
    name: `signature "${signature.slice(0, 12)}"`,
    headers: { ...json, 'x-service-signature': signature },
    body: event,
  })),
];

/** Says that its body is compressed, and it is not, or not whole, or it is too much. */
function lying(headers: { readonly 'content-type': string }): RawRequest[] {
  return (
    [
      ['no gzip', 'gzip', event],
      ['gzip cut off', 'gzip', gzipSync(event).subarray(0, 20)],
      ['17 MB in gzip', 'gzip', gzipSync(tooLarge)],
      ['deflate cut off', 'deflate', deflateSync(event).subarray(0, 10)],
    ] as const
  ).map(([name, encoding, body]) => ({
    name: `${headers['content-type']}: ${name}`,
    headers: { ...headers, 'content-encoding': encoding },
    body,
  }));
}

/** What anyone who knows the address can send. */
export const hostileRequests: readonly RawRequest[] = [
  ...readable.map((of) => of(event)),
  ...unreadable,
];

/** n8n parses JSON before it calls the node, and responds with 500 when it cannot. */
export const refusedByN8n: readonly RawRequest[] = [
  ...lying(json),
  { name: 'JSON of 17 MB', headers: json, announces: tooLarge.length },
];

/** The same from the service: each of another event, with its signature. */
export function signedRequests(sign: (body: string) => string): RawRequest[] {
  return readable.map((of, index) => {
    const body = eventOf(`evt_signed_${index}`);
    const request = of(body);
    return { ...request, headers: { ...request.headers, 'x-service-signature': sign(body) } };
  });
}
