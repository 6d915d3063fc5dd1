import { expect } from '@jest/globals';
import type { Reply } from './running-sandbox.ts';

/** Expects a problem document with this status (section 7) and returns its detail. */
export function problemDetail({ status, headers, text }: Reply, expected: number): string {
  const problem = JSON.parse(text) as Record<string, unknown>;
  expect({ ...problem, status, contentType: headers.get('content-type') }).toMatchObject({
    contentType: 'application/problem+json',
    status: expected,
    type: expect.stringMatching(/^urn:screen-advertising:problem:[a-z-]+$/),
    title: expect.stringMatching(/./),
  });
  expect(problem.status).toBe(expected);
  return String(problem.detail);
}
