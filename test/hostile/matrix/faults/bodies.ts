import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Effect, type Fault, lost as lostResponse, type Strike } from '../fault.ts';

const json = { 'content-type': 'application/json' };
const usable: Effect = { kind: 'usable' };
const unreadable: Effect = { kind: 'unreadable', status: 0, isEmpty: false };
/** A retry would get the same body. */
const unusable: Effect = {
  kind: 'lost',
  code: 'network_error',
  isApplied: true,
  mayPass: false,
  hasStatus: true,
};
const lost = (...given: Parameters<typeof lostResponse>) =>
  ({ ...lostResponse(...given), hasStatus: true }) as const;

/** Gives the strike the honest response's text and status to spoil. */
const spoilt =
  (spoil: (response: ServerResponse, text: string, status: number) => void): Strike =>
  async (response, answer) => {
    const honest = await answer();
    spoil(response, await honest.text(), honest.status);
  };

export const bodies: readonly Fault[] = [
  {
    name: 'body that stops half way',
    effect: lost(true, 'timeout'),
    strike: spoilt((response, text, status) => {
      response.writeHead(status, { ...json, 'content-length': Buffer.byteLength(text) + 1 });
      response.write(text);
    }),
  },
  {
    name: 'body that drips for ever',
    effect: lost(true, 'timeout'),
    strike: spoilt((response, _text, status) => {
      response.writeHead(status, json).flushHeaders();
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
  encoded('gzip that was not requested', usable, gzipSync, 'gzip'),
  encoded('gzip that is none', lost(true), (text) => Buffer.from(text || 'none'), 'gzip'),
  encoded(
    'gzip that stops half way',
    lost(true),
    (text) => gzipSync(text).subarray(0, 20),
    'gzip',
    // Fetch and the libraries of both platforms give what they got so far.
    unreadable,
  ),
  encoded(
    'gzip with more behind it',
    lost(true),
    (text) => Buffer.concat([gzipSync(text), Buffer.from('more')]),
    'gzip',
  ),
  encoded('br that was not requested', unusable, brotliCompressSync, 'br', usable),
  encoded('gzip bomb', unusable, bomb, 'gzip'),
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
  return { name, effect, on: { fetch: n8n, n8n, zapier }, strike };
}
