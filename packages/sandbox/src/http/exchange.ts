import type { HttpBindings } from '@hono/node-server';
import { readBody } from '@screen-advertising/server-kit';
import { ProblemResponseError } from './problem-response-error.ts';

/** The version segment that every base URL ends in (section 9). */
export const basePath = '/api/v1';

/** One request on its way through the sandbox, and what is learned about it. */
export interface HttpExchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Empty if there was none. */
  readonly body: string;
  /** The client's address; undefined for calls from the same process. */
  readonly remoteAddress: string | undefined;
  /** Present for requests over a socket. */
  readonly socket: HttpBindings | undefined;
  /** Set once the caller is known. */
  accessId?: string;
  /** Set once the operation is known. */
  operation?: string;
}

export interface ExchangeEnv {
  Bindings: { exchange: HttpExchange };
}

/** Far above any request of the contract, but a snapshot to restore can get large. */
const maxBody = 16 * 1024 * 1024;

/** Reads no body before `guard` has seen the rest. */
export async function readExchange(
  request: Request,
  guard: (head: HttpExchange) => void,
  socket?: HttpBindings,
): Promise<HttpExchange> {
  const head = {
    method: request.method,
    url: new URL(request.url),
    headers: request.headers,
    body: '',
    remoteAddress: socket?.incoming.socket.remoteAddress,
    socket,
  };
  guard(head);
  return { ...head, body: await readText(request) };
}

async function readText(request: Request): Promise<string> {
  // Reading the body of a request without one is slow over a socket.
  if (['GET', 'HEAD'].includes(request.method) || request.body === null) return '';
  return new TextDecoder().decode(await readBody(request, maxBody, ProblemResponseError));
}

/** The members of the JSON object in the body. */
export function readJsonObject({ headers, body }: HttpExchange): Record<string, unknown> {
  const contentType = headers.get('content-type') ?? '';
  if (contentType.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ProblemResponseError(
      'unsupported-content-type',
      `The body must be JSON with the header Content-Type: application/json; ${contentType ? `got ${contentType}` : 'got no content type'}.`,
    );
  }
  const value = parseJsonExactly(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProblemResponseError('malformed-body', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

function parseJsonExactly(text: string): unknown {
  if (text.trim() === '') {
    throw new ProblemResponseError(
      'malformed-body',
      'The body is empty; it must be a JSON object.',
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ProblemResponseError('malformed-body', 'The body is not valid JSON.');
  }
}
