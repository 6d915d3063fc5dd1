import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type RawRequest, sendRaw } from '../support/raw-request.ts';
import { event, useWebhooks } from './webhook-bench.ts';

const bench = useWebhooks();
const body = JSON.stringify(event);
const packed = gzipSync(body);
const form = '--b\r\ncontent-disposition: form-data; name="id"\r\n\r\n1\r\n--b--\r\n';
const unreadable =
  'The body of the delivery cannot be read: send it whole, as JSON, and compressed as its headers say.';

const bytes = (more: Record<string, string> = {}) => ({
  'content-type': 'application/octet-stream',
  ...more,
});

describe('an unreadable body is refused, and starts nothing', () => {
  it.each<[name: string, headers: Record<string, string>, body: Buffer | string, status: number]>([
    ['a form', { 'content-type': 'multipart/form-data; boundary=b' }, form, 400],
    ['no gzip, though it says so', bytes({ 'content-encoding': 'gzip' }), body, 400],
    ['no deflate, though it says so', bytes({ 'content-encoding': 'deflate' }), body, 400],
    ['gzip cut off', bytes({ 'content-encoding': 'gzip' }), packed.subarray(0, 20), 400],
    ['too large', bytes(), Buffer.alloc(17 * 1024 * 1024), 413],
    [
      'too large once unpacked',
      bytes({ 'content-encoding': 'gzip' }),
      gzipSync(Buffer.alloc(17 * 1024 * 1024)),
      413,
    ],
  ])('%s', async (_name, headers, sent, status) => {
    const { answer, text } = await post(headers, sent);
    expect(answer).toBe(status);
    expect(JSON.parse(text)).toEqual({
      type: 'about:blank',
      title: status === 413 ? 'Content Too Large' : 'Bad Request',
      status,
      detail:
        status === 413 ? 'The body of the delivery is larger than this n8n accepts.' : unreadable,
    });
    expect(bench.server.failures).toEqual([]);
    expect(bench.server.executions).toEqual([]);
  });

  it.each<[name: string, request: Omit<RawRequest, 'name'>]>([
    ['a body that ends too early', { headers: bytes(), body, only: 10 }],
    [
      'a compressed body that ends too early',
      { headers: bytes({ 'content-encoding': 'gzip' }), body: packed, only: 12, chunked: true },
    ],
  ])('%s', async (name, request) => {
    await sendRaw(bench.server.url, { name, ...request });
    await bench.server.idle();
    expect(bench.server.failures).toEqual([]);
    expect(bench.server.executions).toEqual([]);
  });
});

it.each([
  ['gzip', packed],
  ['deflate', deflateSync(body)],
])(
  'a delivery compressed with %s starts the workflow when it is signed',
  async (encoding, sent) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    expect(await post({ ...headers, ...bench.signed(body) }, sent)).toMatchObject({ answer: 200 });
    expect(await post(headers, sent)).toMatchObject({ answer: 401 });
    expect(bench.server.executions).toHaveLength(1);
  },
);

async function post(headers: Record<string, string>, sent: Buffer | string) {
  const response = await fetch(bench.server.url, {
    method: 'POST',
    headers,
    body: typeof sent === 'string' ? sent : new Uint8Array(sent),
  });
  return { answer: response.status, text: await response.text() };
}
