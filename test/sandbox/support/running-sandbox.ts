import { expect } from '@jest/globals';
import {
  createSandbox,
  type PartnerAccess,
  type Sandbox,
  type SandboxOptions,
} from '@screen-advertising/sandbox';
import { closeAfterTest } from '../../support/closing.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface CallOptions {
  /** Sent as JSON; a text is sent as is. */
  readonly body?: unknown;
  /** Bearer token; null sends none. Default: the API key of the first access. */
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

/** A sandbox on loopback with a frozen clock, and functions to call it. */
export interface Running {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly baseUrl: string;
  readonly full: PartnerAccess;
  readonly second: PartnerAccess;
  readonly limited: PartnerAccess;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** The body of a GET that must succeed. */
  read<Body>(path: string, token?: string): Promise<Body>;
  /** A request to the admin API under /_sandbox. */
  admin(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

/** Closes automatically after the test. */
export async function start(options: SandboxOptions = {}): Promise<Running> {
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
  const call: Running['call'] = (method, path, callOptions = {}) =>
    send(`${baseUrl}${path}`, method, { token: full.apiKey, ...callOptions });
  return {
    sandbox,
    url,
    baseUrl,
    full,
    second,
    limited,
    call,
    read: async (path, token = full.apiKey) => {
      const reply = await call('GET', path, { token });
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
      return JSON.parse(reply.text);
    },
    admin: (method, path, callOptions = {}) =>
      send(`${url}/_sandbox${path}`, method, { token: null, ...callOptions }),
  };
}

async function send(
  url: string,
  method: string,
  { body, token, headers }: CallOptions,
): Promise<Reply> {
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
