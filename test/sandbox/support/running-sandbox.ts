import { expect } from '@jest/globals';
import { createSandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import { closeAfterTest } from '../../support/closing.ts';

export type Running = Awaited<ReturnType<typeof start>>;
export type Reply = Awaited<ReturnType<typeof send>>;

interface CallOptions {
  /** Sent as JSON; a text is sent as is. */
  readonly body?: unknown;
  /** Bearer token; null sends none. Default: the API key of the first access. */
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

/** A sandbox on loopback with a frozen clock, and functions to call it. Closes after the test. */
export async function start(options: SandboxOptions = {}) {
  const sandbox = createSandbox({
    // Not as many as by default: each sandbox makes its own.
    screens: 60,
    clock: 'frozen',
    startAt: '2027-03-01T09:00:00Z',
    ...options,
  });
  closeAfterTest(() => sandbox.close());
  const { url, baseUrl } = await sandbox.listen();
  const [full, second = full, limited = full] = sandbox.accesses;
  const call = (method: string, path: string, callOptions: CallOptions = {}) =>
    send(`${baseUrl}${path}`, method, { token: full.apiKey, ...callOptions });
  return {
    ...{ sandbox, url, baseUrl, full, second, limited, call },
    /** The body of a GET that must succeed. */
    async read<Body>(path: string, token = full.apiKey): Promise<Body> {
      const reply = await call('GET', path, { token });
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
      return JSON.parse(reply.text);
    },
    /** A request to the admin API under /_sandbox. */
    admin: (method: string, path: string, callOptions: CallOptions = {}) =>
      send(`${url}/_sandbox${path}`, method, { token: null, ...callOptions }),
  };
}

async function send(url: string, method: string, { body, token, headers }: CallOptions) {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

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
