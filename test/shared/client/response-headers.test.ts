import { describe, expect, it } from '@jest/globals';
import { readRequestId, readRetryAfter } from '../../../shared/src/client/error-from-response.ts';

describe('the request ID of a response', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['X-Request-Id', { 'x-request-id': 'req_1' }, 'req_1'],
    ['Request-Id', { 'request-id': ' req_2 ' }, 'req_2'],
    ['X-Correlation-Id', { 'x-correlation-id': 'c-3' }, 'c-3'],
    ['Amazon', { 'x-amzn-requestid': 'amz-4' }, 'amz-4'],
    ['Cloudflare', { 'cf-ray': '8f1-FRA' }, '8f1-FRA'],
    ['the service rather than a proxy', { 'cf-ray': 'ray', 'x-request-id': 'req_5' }, 'req_5'],
    [
      'the next header, if one holds no ID',
      {
        'x-request-id': '',
        'request-id': 'a b',
        'x-correlation-id': 'x'.repeat(129),
        'cf-ray': 'r',
      },
      'r',
    ],
    ['no header', { 'content-type': 'text/html' }, undefined],
  ])('is that of %s', (_whose, headers, requestId) => {
    expect(readRequestId(headers)).toBe(requestId);
  });
});

const now = Date.UTC(2027, 2, 1, 9, 0, 0);

const read = (headers: Record<string, string>, retry_after?: unknown): number | undefined =>
  readRetryAfter({ status: 429, headers, body: '' }, { retry_after } as never, now);

describe('readRetryAfter', () => {
  it.each([
    ['60', 60],
    ['0', 0],
    [' 5 ', 5],
    ['1.5', 1.5],
    ['60, 60', 60],
    ['5, 60', 60],
    ['Mon, 01 Mar 2027 09:00:30 GMT', 30],
    ['Monday, 01-Mar-27 09:00:30 GMT', 30],
    ['Mon, 01 Mar 2027 08:00:00 GMT', 0],
    // A day at most, since no limit lasts longer.
    ['999999999', 86_400],
    ['9'.repeat(400), 86_400],
    ['Fri, 01 Jan 2199 00:00:00 GMT', 86_400],
    ...['', '-5', 'soon', '5 minutes', '5, soon', 'Infinity', '2027-03-01', '0x10', '1e3'].map(
      (header) => [header, undefined] as const,
    ),
  ])('reads the header %j as %p s', (header, seconds) => {
    expect(read({ 'retry-after': header })).toBe(seconds);
  });

  it('measures a date against the clock of the service, not its own', () => {
    const headers = {
      date: 'Mon, 01 Mar 2027 12:00:00 GMT',
      'retry-after': 'Mon, 01 Mar 2027 12:00:45 GMT',
    };
    expect(read(headers)).toBe(45);
    expect(read({ ...headers, date: 'no date' })).toBe(3 * 3600 + 45);
  });

  it.each([
    [30, 30],
    ['30', 30],
    [-1, undefined],
    [null, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [{}, undefined],
  ])('reads the member %j as %p', (member, seconds) => {
    expect(read({}, member)).toBe(seconds);
  });

  it('uses the longer of header and member', () => {
    expect(read({ 'retry-after': '10' }, 60)).toBe(60);
    expect(read({ 'retry-after': '60' }, 10)).toBe(60);
    expect(readRetryAfter({ status: 429, headers: {}, body: '' }, undefined, now)).toBeUndefined();
  });
});
