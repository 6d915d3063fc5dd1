import type { ScriptedResponse, Step } from './scripted-service.ts';

type Named = Readonly<Record<string, string>>;

/** A problem document as in section 7. */
export const problem = (status: number, members: object = {}, headers: Named = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { type: 'about:blank', title: 'Title', status, detail: 'What went wrong.', ...members },
});

/** A token response as in section 2.8. */
export const token = (access_token: string, members: object = {}) => ({
  body: { access_token, token_type: 'bearer', expires_in: 3600, scope: '*', ...members },
});

/** A page of a list as in section 4.2. */
export const page = (data: readonly unknown[], cursor: unknown, has_more: boolean) => ({
  body: { data, pagination: { cursor, has_more, total_count: 2000 } },
});

/** Resets the connection in place of a response. */
export const reset: Step = (response) => void response.socket?.resetAndDestroy();

/** Never sends a response. */
export const silence: Step = (response, service) => service.hold(response);

/** A response that arrives when the test says so. */
export class Held {
  answer = (_answer: ScriptedResponse): void => {
    throw new Error('The request that was to be held has not come.');
  };

  readonly step: Step = (response, service) => {
    service.hold(response);
    this.answer = (answer) => service.release(response, answer);
  };
}
