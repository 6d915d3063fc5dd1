import type { Accesses } from '../access/access.ts';
import { applyFaults } from '../faults/apply-faults.ts';
import type { Faults } from '../faults/faults.ts';
import { basePath, type Exchange } from '../http/exchange.ts';
import { type SandboxContext, timestamp } from '../state/context.ts';
import { readBearer } from './authenticate.ts';

/** Characters of each body that the journal keeps. */
const maxBody = 10_000;

/** Handles a request to the service: applies faults and writes the journal. */
export function serviceExchange(
  context: SandboxContext,
  faults: Faults,
  journal: Journal,
  latencyMs = 0,
) {
  const redact = redactor(context.accesses);
  const latency = latencyMs > 0 ? [{ fault: 'latency' as const, ms: latencyMs }] : [];

  return async (exchange: Exchange, handle: () => Promise<Response>): Promise<Response> => {
    const at = timestamp(context);
    const startedAt = performance.now();
    const path = exchange.url.pathname.slice(basePath.length);
    const triggered = faults.trigger(exchange.method, path);
    const record = (status: number | null, responseBody = ''): void => {
      const body = path === '/oauth/token' ? redactTokenRequest(exchange.body) : exchange.body;
      journal.record({
        at,
        method: exchange.method,
        path: redact(path + exchange.url.search),
        operation: exchange.operation ?? null,
        access: exchange.accessId ?? null,
        authorization: kindOfAuthorization(exchange.headers),
        requestBody: exchange.body === '' ? null : redact(body).slice(0, maxBody),
        responseBody: responseBody === '' ? null : redact(responseBody).slice(0, maxBody),
        status,
        durationMs: Math.round(performance.now() - startedAt),
        faults: triggered.map(({ fault }) => fault),
      });
    };

    // Reading it here would end the wait that the fault is about.
    const isSlow = triggered.some(({ fault }) => fault === 'slow-body');
    const cut = triggered.some(({ fault }) => fault === 'reset' || fault === 'truncated-body');
    try {
      const response = await applyFaults(
        [...latency, ...triggered],
        exchange,
        context.closed,
        handle,
      );
      if (cut) record(null);
      else record(response.status, isSlow ? undefined : await response.clone().text());
      return response;
    } catch (error) {
      record(null);
      throw error;
    }
  };
}

/** One request to the service and its result. Contains no secret. */
export interface JournalEntry {
  readonly id: number;
  /** Time of the sandbox clock. */
  readonly at: string;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** The operation's name in the catalogue, `token`, or null for an unknown path. */
  readonly operation: string | null;
  /** ID of the calling access; null if unknown. */
  readonly access: string | null;
  /** The kind of authorization header, never its value. */
  readonly authorization: 'none' | 'api key' | 'access token' | 'other';
  readonly requestBody: string | null;
  /** The start of it; null if there was none, or if a fault cut the connection. */
  readonly responseBody: string | null;
  /** Null if a fault cut the connection. */
  readonly status: number | null;
  /** Real milliseconds. */
  readonly durationMs: number;
  /** The faults that were triggered. */
  readonly faults: readonly string[];
}

/** The latest requests, oldest first. */
export class Journal {
  readonly #kept = 1000;
  readonly #log: (line: string) => void;
  #entries: JournalEntry[] = [];
  #lastId = 0;

  /** `log` receives a line for each request. */
  constructor(log: (line: string) => void = () => undefined) {
    this.#log = log;
  }

  record(entry: Omit<JournalEntry, 'id'>): void {
    this.#lastId += 1;
    this.#entries.push({ id: this.#lastId, ...entry });
    const { at, method, path, status, access, faults } = entry;
    const words = [status ?? 'cut', method.padEnd(4), path, access, ...faults];
    this.#log(logLine(at, words.filter((word) => word !== null).join('  ')));
    if (this.#entries.length > this.#kept) this.#entries.shift();
  }

  list(): JournalEntry[] {
    return [...this.#entries];
  }

  clear(): void {
    this.#entries = [];
  }
}

/** A line for a terminal, with the time by the sandbox clock. */
export function logLine(at: string, text: string): string {
  return `${at.slice(11, 19)}  ${text}`;
}

const replacement = '[redacted]';

/** A client secret in JSON, even if it is cut off: a token request may go to a mistyped path. */
const clientSecretMember = /("client_secret"\s*:\s*)(?:"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|[^\s",}\]]+)/g;
/** A client secret in a form or a query. */
const clientSecretField = /\b(client_secret=)[^&\s]+/g;

/**
 * Removes credentials from texts: those of the accesses, anything that looks like an API key, and
 * any field named as a client secret.
 */
function redactor(accesses: Accesses): (text: string) => string {
  const secrets = accesses
    .flatMap(({ apiKey, clientSecret, signingSecret }) => [apiKey, clientSecret, signingSecret])
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length);
  return (text) => {
    const rest = secrets.reduce((left, secret) => left.replaceAll(secret, replacement), text);
    return rest
      .replaceAll(/\b(svc|sat)_[\w-]{8,}/g, replacement)
      .replaceAll(clientSecretMember, `$1"${replacement}"`)
      .replaceAll(clientSecretField, `$1${replacement}`);
  };
}

/** A token request. Only its client ID may be shown. */
function redactTokenRequest(body: string): string {
  try {
    const { client_id } = JSON.parse(body) as Record<string, unknown>;
    return JSON.stringify({ client_id, client_secret: replacement });
  } catch {
    return replacement;
  }
}

function kindOfAuthorization(headers: Headers): JournalEntry['authorization'] {
  if (!headers.has('authorization')) return 'none';
  const bearer = readBearer(headers);
  if (bearer === undefined) return 'other';
  return bearer.startsWith('svc_') ? 'api key' : 'access token';
}
