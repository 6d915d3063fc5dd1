import type { PartnerAccesses } from '../access/access.ts';
import { applyFaults } from '../faults/apply-faults.ts';
import type { FaultList } from '../faults/faults.ts';
import { basePath, type HttpExchange } from '../http/exchange.ts';
import { type SandboxContext, timestamp } from '../state/context.ts';
import { readBearer } from './authenticate.ts';
import type { JournalEntry, RequestJournal } from './journal.ts';

/** Characters of each body that the journal keeps. */
const maxBody = 10_000;

/** Handles a request to the service: applies faults and writes the journal. */
export function handleServiceRequest(
  context: SandboxContext,
  faults: FaultList,
  journal: RequestJournal,
  latencyMs = 0,
) {
  const redact = redactor(context.accesses);
  const latency = latencyMs > 0 ? [{ fault: 'latency' as const, ms: latencyMs }] : [];

  return async (exchange: HttpExchange, handle: () => Promise<Response>): Promise<Response> => {
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

const replacement = '[redacted]';

/** A client secret in JSON, even if it is cut off: a token request may go to a mistyped path. */
const clientSecretMember = /("client_secret"\s*:\s*)(?:"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|[^\s",}\]]+)/g;
/** A client secret in a form or a query. */
const clientSecretField = /\b(client_secret=)[^&\s]+/g;

/**
 * Removes credentials from texts: those of the accesses, anything that looks like an API key, and
 * any field named as a client secret.
 */
function redactor(accesses: PartnerAccesses): (text: string) => string {
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
