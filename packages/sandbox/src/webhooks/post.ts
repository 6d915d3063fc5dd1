import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type PostResult =
  | { readonly status: number; readonly error?: never }
  | { readonly status?: never; readonly error: string };

/**
 * Sends one delivery over a new connection, and always resolves. A redirect counts as a response
 * and is never followed.
 */
export async function post(posting: Posting): Promise<PostResult> {
  // Node throws synchronously for a URL that it cannot use.
  return send(posting).catch((error: Error) => ({ error: error.message }));
}

function send({ url, headers, body, timeoutMs, signal }: Posting): Promise<PostResult> {
  return new Promise((resolve) => {
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
        // Only the status matters. The body is drained so that the receiver can finish.
        resolve({ status: response.statusCode ?? 0 });
        response.on('error', () => undefined).resume();
      },
    );
    outgoing.on('error', (error) => {
      resolve({ error: timeout.aborted ? `no response within ${timeoutMs} ms` : error.message });
    });
    outgoing.end(body);
  });
}
