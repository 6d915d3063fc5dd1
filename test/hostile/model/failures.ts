import { TransportError, type TransportResponse } from '@screen-advertising/core';

/** What can become of one request. */
export const failures = [
  'refused',
  'lost before',
  'lost after',
  'timeout after',
  '500 after',
  '503 before',
  '503 after',
  '429 for 7 s',
  '401',
  'HTML',
  'cut off',
] as const;

export type Failure = (typeof failures)[number] | 'none';

const problem = (status: number, headers: Record<string, string> = {}): TransportResponse => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({ type: 'about:blank', title: 'Trouble', status, detail: 'A failure.' }),
});

const noAnswer = (code: 'network_error' | 'timeout', sent: 'no' | 'maybe'): TransportError =>
  new TransportError('No answer came.', { code, sent });

/** Meets a request with failure. The second argument lets the service do its work. */
export async function meet(
  failure: Failure,
  answer: () => Promise<TransportResponse>,
): Promise<TransportResponse> {
  switch (failure) {
    case 'none':
      return answer();
    case 'refused':
      throw noAnswer('network_error', 'no');
    case 'lost before':
      throw noAnswer('network_error', 'maybe');
    case 'lost after':
      await answer();
      throw noAnswer('network_error', 'maybe');
    case 'timeout after':
      await answer();
      throw noAnswer('timeout', 'maybe');
    case '500 after':
      await answer();
      return problem(500);
    case '503 before':
      return problem(503);
    case '503 after':
      await answer();
      return problem(503);
    case '429 for 7 s':
      return problem(429, { 'retry-after': '7' });
    case '401':
      return problem(401);
    case 'HTML':
      return { ...(await answer()), body: '<!doctype html><h1>Sign in</h1>' };
    case 'cut off': {
      const whole = await answer();
      return { ...whole, body: whole.body.slice(0, whole.body.length / 2) };
    }
  }
}
