import type { Fault } from '../fault.ts';

type Shape = 'problem' | 'HTML' | 'nothing' | 'other JSON';
const shapes: readonly Shape[] = ['problem', 'HTML', 'nothing', 'other JSON'];

const bodyOf: Record<Shape, (status: number) => [type: string, body: string]> = {
  problem: (status) => [
    'application/problem+json',
    JSON.stringify({ type: 'about:blank', title: 'A title', status, detail: 'A fault.' }),
  ],
  HTML: () => ['text/html', '<html><body><h1>It broke</h1></body></html>'],
  nothing: () => ['text/plain', ''],
  'other JSON': () => ['application/json', '{"error":{"message":"It broke"}}'],
};

function status(code: number, shape: Shape, isApplied = false): Fault {
  return {
    name: `${code} with ${shape}${isApplied ? ', after' : ''}`,
    effect: { kind: 'refused', status: code, hasProblem: shape === 'problem', isApplied },
    async strike(response, answer) {
      if (isApplied) await answer();
      const [type, text] = bodyOf[shape](code);
      response.writeHead(code, { 'content-type': type }).end(text);
    },
  };
}

const refusals = [400, 401, 403, 404, 405, 409, 410, 413, 422, 451];
const failures = [408, 500, 502, 503, 504];

export const statuses: readonly Fault[] = [
  ...[...refusals, ...failures].flatMap((code) => shapes.map((shape) => status(code, shape))),
  ...failures.flatMap((code) => shapes.map((shape) => status(code, shape, true))),
];

/** Where the redirects lead: nothing may ever ask there. */
const elsewhere = '/elsewhere/api/v1/screens';

export const redirects: readonly Fault[] = [
  redirect('redirect to another host', 302, 'https://elsewhere.example/api/v1/screens'),
  redirect('redirect to http', 301, 'http://elsewhere.example/api/v1/screens'),
  redirect('redirect that keeps the method', 307, elsewhere),
  redirect('redirect for good', 308, elsewhere),
  redirect('redirect to a result', 303, elsewhere),
  redirect('redirect without a place', 302, undefined),
];

function redirect(name: string, status: number, location: string | undefined): Fault {
  return {
    name,
    effect: { kind: 'redirect', status },
    strike: async (response) => {
      response.writeHead(status, location === undefined ? {} : { location }).end();
    },
  };
}

/** A moment by the service's own clock, which need not be the client's. */
const serviceNow = 'Mon, 01 Mar 2027 09:00:00 GMT';
const halfAMinuteLater = 'Mon, 01 Mar 2027 09:00:30 GMT';

export const limits: readonly Fault[] = [
  limit('429 with seconds', 30, { 'retry-after': '30' }),
  limit('429 with an HTTP date', 30, { 'retry-after': halfAMinuteLater, date: serviceNow }),
  limit('429 with a date gone by', 0, { 'retry-after': serviceNow, date: halfAMinuteLater }),
  limit('429 with only retry_after', 30, {}, { retry_after: 30 }),
  limit('429 with two waits', 30, { 'retry-after': '20' }, { retry_after: 30 }),
  limit('429 without a wait', undefined, {}),
  limit('429 with a negative wait', undefined, { 'retry-after': '-5' }, { retry_after: -5 }),
  limit('429 with words', undefined, { 'retry-after': 'soon' }, { retry_after: 'later' }),
  limit('429 with an hour', 3600, { 'retry-after': '3600' }),
  limit('429 with 31 years', 86_400, { 'retry-after': '999999999' }),
  limit('429 with more than a number holds', 86_400, { 'retry-after': '9'.repeat(400) }),
  limit('429 with a date in another century', 86_400, {
    'retry-after': 'Fri, 01 Jan 2199 00:00:00 GMT',
    date: serviceNow,
  }),
];

function limit(
  name: string,
  wait: number | undefined,
  headers: Readonly<Record<string, string>>,
  members: object = {},
): Fault {
  const problem = { title: 'Too many requests', status: 429, detail: 'A fault.', ...members };
  return {
    name,
    effect: {
      kind: 'refused',
      status: 429,
      hasProblem: true,
      isApplied: false,
      ...(wait !== undefined && { wait }),
    },
    strike: async (response) => {
      response.sendDate = false;
      response.writeHead(429, { 'content-type': 'application/problem+json', ...headers });
      response.end(JSON.stringify(problem));
    },
  };
}
