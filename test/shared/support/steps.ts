import type { ServerResponse } from 'node:http';
import type { Answer, ScriptedService, Step } from './scripted-service.ts';

/** A problem document as section 7 has it. */
export function problem(
  status: number,
  members: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: { type: 'about:blank', title: 'Title', status, detail: 'What went wrong.', ...members },
  };
}

/** A token as section 2.8 has it. */
export function token(
  access_token: string,
  members: Readonly<Record<string, unknown>> = {},
): Answer {
  return {
    body: { access_token, token_type: 'bearer', expires_in: 3600, scope: '*', ...members },
  };
}

/** A page of a list as section 4.2 has it. */
export function page(data: readonly unknown[], cursor: unknown, has_more: boolean): Answer {
  return { body: { data, pagination: { cursor, has_more, total_count: 2000 } } };
}

/** The connection is reset instead of an answer. */
export const reset: Step = (response) => {
  response.socket?.resetAndDestroy();
};

/** A status that HTTP does not know. */
const odd: Step = (response) => {
  response.socket?.end('HTTP/1.1 099 Odd\r\ncontent-length: 2\r\n\r\n{}');
};

/** No answer ever comes. */
export const silence: Step = (response, service) => service.hold(response);

/** The answer comes when the test says so. */
export class Held {
  #release: ((answer: Answer) => void) | undefined;

  readonly step: Step = (response: ServerResponse, service: ScriptedService) => {
    service.hold(response);
    this.#release = (answer) => service.release(response, answer);
  };

  answer(answer: Answer): void {
    if (!this.#release) throw new Error('The request that was to be held has not come.');
    this.#release(answer);
  }
}

/** How an answer can be lost after a change was, or was not, made. */
export const losses: readonly [string, Step][] = [
  ['a reset', reset],
  ['a status below 100', odd],
  ['status 502', problem(502)],
  ['status 503', problem(503)],
  ['status 504', problem(504)],
  ['status 408', problem(408)],
];
