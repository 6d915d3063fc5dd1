import { describe, expect, it } from '@jest/globals';
import { readRequestId } from '../../../shared/src/client/error-from-response.ts';

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
