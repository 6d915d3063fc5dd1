import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Effect } from './effect.ts';

export type Platform = 'undici' | 'n8n' | 'zapier';

/** Answers a request in a way of its own; `answer` lets the service do its work. */
export type Strike = (response: ServerResponse, answer: () => Promise<Response>) => Promise<void>;

export interface Fault {
  readonly name: string;
  readonly effect: Effect;
  /** Where a platform's own HTTP library reads what the others refuse, or the other way round. */
  readonly on?: Partial<Record<Platform, Effect>>;
  readonly strike: Strike;
  /** True when it can take longer than a try may. */
  readonly isSlow?: boolean;
}

const json = { 'content-type': 'application/json' };
const usable: Effect = { kind: 'usable' };
const unreadable: Effect = { kind: 'unreadable', status: 0, isEmpty: false };
const lost = (isApplied: boolean, code: 'network_error' | 'timeout' = 'network_error'): Effect => ({
  kind: 'lost',
  code,
  isApplied,
  mayPass: true,
});
/** Trying again would bring the same. */
const unusable: Effect = { kind: 'lost', code: 'network_error', isApplied: true, mayPass: false };

const never: Strike = async () => undefined;
const unreachable = (
  name: string,
  at: 'closedPort' | 'unknownHost' | 'selfSigned' | 'noTls',
  mayPass: boolean,
): Fault => ({ name, effect: { kind: 'unreachable', at, mayPass }, strike: never });

/** The honest answer's text with its status, for strikes that spoil it. */
const spoilt =
  (spoil: (response: ServerResponse, text: string, status: number) => void): Strike =>
  async (response, answer) => {
    const honest = await answer();
    spoil(response, await honest.text(), honest.status);
  };

/** Both of a fault: the request never got through, or its answer did not. */
const eitherWay = (name: string, code: 'network_error' | 'timeout', strike: Strike): Fault[] => [
  { name: `${name}, before`, effect: lost(false, code), strike, isSlow: code === 'timeout' },
  {
    name: `${name}, after`,
    effect: lost(true, code),
    isSlow: code === 'timeout',
    async strike(response, answer) {
      await answer();
      await strike(response, answer);
    },
  },
];

const connections: readonly Fault[] = [
  unreachable('refused connection', 'closedPort', true),
  unreachable('unknown host', 'unknownHost', true),
  unreachable('self-signed certificate', 'selfSigned', false),
  unreachable('no TLS behind https', 'noTls', false),
  ...eitherWay('reset', 'network_error', async (response) => {
    response.socket?.resetAndDestroy();
  }),
  ...eitherWay('closed without a word', 'network_error', async (response) => {
    response.socket?.destroy();
  }),
  ...eitherWay('no headers in time', 'timeout', never),
  ...eitherWay('garbage instead of HTTP', 'network_error', async (response) => {
    response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n\r\n');
  }),
  ...eitherWay('headers without end', 'network_error', async (response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n{}`);
  }),
];

const bodies: readonly Fault[] = [
  {
    name: 'body that stops half way',
    effect: lost(true, 'timeout'),
    isSlow: true,
    strike: spoilt((response, text, status) => {
      response.writeHead(status, { ...json, 'content-length': Buffer.byteLength(text) + 1 });
      response.write(text);
    }),
  },
  {
    name: 'body that drips for ever',
    effect: lost(true, 'timeout'),
    isSlow: true,
    strike: spoilt((response, _text, status) => {
      response.writeHead(status, json);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    }),
  },
  {
    name: 'body that drips in time',
    effect: usable,
    strike: spoilt((response, text, status) => {
      response.writeHead(status, json);
      const half = Math.floor(text.length / 2);
      response.write(text.slice(0, half));
      setTimeout(() => response.end(text.slice(half)), 20);
    }),
  },
  {
    name: 'truncated body with a length',
    effect: lost(true),
    // Zapier's library waits for the rest until the app gives up.
    on: { zapier: lost(true, 'timeout') },
    isSlow: true,
    strike: spoilt((response, text, status) => {
      const whole = text || 'nothing';
      response.writeHead(status, { ...json, 'content-length': Buffer.byteLength(whole) });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
    }),
  },
  {
    name: 'truncated body in chunks',
    effect: lost(true),
    strike: spoilt((response, text, status) => {
      response.writeHead(status, json);
      response.write(text.slice(0, text.length / 2) || ' ', () => response.destroy());
    }),
  },
  body('truncated body without a length', unreadable, (text) => text.slice(0, text.length / 2)),
  body('malformed JSON', unreadable, (text) => `${text.slice(0, -1)},,`),
  body('a JSON text instead of a record', unreadable, () => '"ok"'),
  body('JSON null', unreadable, () => 'null'),
  body('HTML of a proxy', unreadable, () => '<!doctype html><h1>Sign in</h1>', 'text/html'),
  body('empty 200', { kind: 'unreadable', status: 0, isEmpty: true }, () => ''),
  body('JSON said to be text', usable, (text) => text, 'text/plain'),
  body('JSON said to be a picture', usable, (text) => text, 'image/png'),
  body('JSON behind a byte order mark', usable, (text) => `\u{feff}${text}`),
  {
    name: '204 without a body',
    effect: { kind: 'unreadable', status: 204, isEmpty: true },
    strike: spoilt((response) => response.writeHead(204).end()),
  },
  encoded('gzip that nobody asked for', usable, gzipSync, 'gzip'),
  encoded('gzip that is none', lost(true), (text) => Buffer.from(text || 'none'), 'gzip'),
  encoded(
    'gzip that stops half way',
    lost(true),
    (text) => gzipSync(text).subarray(0, 20),
    'gzip',
    // The libraries of both platforms give what they got so far.
    unreadable,
  ),
  encoded(
    'gzip with more behind it',
    lost(true),
    (text) => Buffer.concat([gzipSync(text), Buffer.from('more')]),
    'gzip',
  ),
  encoded('br that nobody asked for', unusable, brotliCompressSync, 'br', usable),
  {
    ...encoded('gzip bomb', unusable, bomb, 'gzip'),
    // Zapier's library notices the size at once or not before the app gives up.
    isSlow: true,
  },
  {
    name: '10 MB body',
    effect: unusable,
    strike: spoilt((response, text, status) => response.writeHead(status, json).end(padded(text))),
  },
];

const tenMegabytes = 10 * 1024 * 1024;

const padding = Buffer.alloc(tenMegabytes, ' ');

function padded(text: string): Buffer {
  return Buffer.concat([Buffer.from(text), padding]);
}

const bombs = new Map<string, Buffer>();

function bomb(text: string): Buffer {
  const made = bombs.get(text) ?? gzipSync(padded(text));
  bombs.set(text, made);
  return made;
}

function body(
  name: string,
  effect: Effect,
  spoil: (text: string) => string,
  type = 'application/json',
): Fault {
  const strike = spoilt((response, text, status) => {
    // Neither a 204 nor its length may stand before what follows.
    response.writeHead(status === 204 ? 200 : status, { 'content-type': type });
    response.end(spoil(text));
  });
  return { name, effect, strike };
}

function encoded(
  name: string,
  effect: Effect,
  encode: (text: string) => Buffer,
  encoding: string,
  n8n: Effect = effect,
  zapier: Effect = n8n,
): Fault {
  const strike = spoilt((response, text, status) => {
    response.writeHead(status, { ...json, 'content-encoding': encoding }).end(encode(text));
  });
  return { name, effect, on: { n8n, zapier }, strike };
}

/** Where the redirects lead: nothing may ever ask there. */
export const elsewhere = '/elsewhere/api/v1/screens';

const redirects: readonly Fault[] = [
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

const statuses: readonly Fault[] = [
  ...[...refusals, ...failures].flatMap((code) => shapes.map((shape) => status(code, shape))),
  ...failures.flatMap((code) => shapes.map((shape) => status(code, shape, true))),
];

/** A moment by the service's own clock, which need not be the client's. */
const serviceNow = 'Mon, 01 Mar 2027 09:00:00 GMT';
const halfAMinuteLater = 'Mon, 01 Mar 2027 09:00:30 GMT';

const limits: readonly Fault[] = [
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

export const faults: readonly Fault[] = [
  ...connections,
  ...bodies,
  ...redirects,
  ...statuses,
  ...limits,
];
