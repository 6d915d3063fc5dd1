import { createServer } from 'node:http';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';

export interface Incoming {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly bearer: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = readonly [status: number, body?: unknown, headers?: Record<string, string>];

/** A service on loopback. Text is sent as it is, everything else as JSON. */
export async function serve(answer: (incoming: Incoming) => Answer | undefined) {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://127.0.0.1');
    const { method = '', headers } = request;
    const path = pathname.replace('/api/v1', '');
    const [, bearer] = /^Bearer (.*)/.exec(headers.authorization ?? '') ?? [];
    requests.push(`${method} ${path}`);
    const reply = answer({ method, path, query, bearer, body: text ? JSON.parse(text) : {} });
    if (!reply) return;
    const [status, body = '', more = {}] = reply;
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...more,
    });
    response.end(isText ? body : JSON.stringify(body));
  });
  const { port, close } = await listen(server);
  closeAfterTest(close);
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, requests };
}
