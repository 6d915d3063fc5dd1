import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { DeliveryAttempt } from '../state/stored-records.ts';

export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A response with another status than 2xx has both. */
type Outcome = Pick<DeliveryAttempt, 'status' | 'error'> & {
  readonly ignored?: string | undefined;
};

/** The connectors' triggers accept an event that starts nothing with its reason in this header. */
const ignoredHeader = 'x-screen-advertising-ignored';

/**
 * Sends one delivery over a new connection, and always resolves. A redirect counts as a response
 * and is never followed.
 */
export function post({ url, headers, body, timeoutMs, signal }: Posting): Promise<Outcome> {
  const sent = new Promise<Outcome>((resolve) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const outgoing: ClientRequest = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.any([signal, timeout]),
      },
      (response) => {
        const { statusCode: status = 0 } = response;
        const succeeded = status >= 200 && status < 300;
        const error = succeeded ? null : `responded with status ${status}`;
        const reason = response.headers[ignoredHeader];
        resolve({ status, error, ignored: succeeded && reason ? String(reason) : undefined });
        // Only the status matters. The body is drained so that the receiver can finish.
        response.on('error', () => undefined).resume();
      },
    );
    outgoing.on('error', (error) => {
      const late = `no response within ${timeoutMs} ms`;
      resolve({ status: null, error: timeout.aborted ? late : error.message });
    });
    outgoing.end(body);
  });
  // Node throws synchronously for a URL that it cannot use.
  return sent.catch((error: Error) => ({ status: null, error: error.message }));
}
