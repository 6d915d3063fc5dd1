import { createHmac, createSecretKey } from 'node:crypto';
import type { Readable } from 'node:stream';
import { signWebhook } from '@screen-advertising/core';
import { safeOutsideText } from '@screen-advertising/core/platform';
import {
  type IgnoredReason,
  ignoredHeaderName,
  ignoredReasons,
  readWebhookId,
  signatureHeaderName,
} from '@screen-advertising/core/webhooks';
import { request } from 'undici';
import type { ResponseRecord } from '../base/stored-values.ts';
import { ForbiddenTarget, type SubscriberRequestOptions } from './agents.ts';

interface Signing {
  readonly id: string;
  /** Number of the attempt. Default: 1. */
  readonly attempt?: number;
  readonly body: Uint8Array;
  /** The current secret, and the previous one during a rotation. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The headers of a signed request, with both schemes: the service's own, and Standard Webhooks.
 * `x-relay-event` is the event's ID, also for a redelivery or test, whose `webhook-id` differs.
 */
export function signedDeliveryHeaders(signing: Signing): Record<string, string> {
  const { id, attempt = 1, body, secrets, now } = signing;
  const timestamp = Math.floor(now / 1000);
  const own = secrets.map((secret) => signWebhook({ body, secret, timestamp }).split(',')[1]);
  const standard = secrets.map((secret) => {
    // Eight times as fast as passing the key as bytes.
    const key = createSecretKey(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'screen-advertising-relay',
    'x-relay-attempt': String(attempt),
    'x-relay-event': readWebhookId(id).id,
    [signatureHeaderName]: [`t=${timestamp}`, ...own].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}

/** The signatures in such headers: anyone who knows them could send the same body again. */
export function signaturesIn(headers: Readonly<Record<string, string>>): string[] {
  const all = `${headers[signatureHeaderName]} ${headers['webhook-signature']}`;
  return [...all.matchAll(/v1[=,]([^, ]+)/g)].map(([, signature = '']) => signature);
}

export interface PostResult {
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly response?: OutsideResponse;
}

/** The response of another server, which may contain anything. */
interface OutsideResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: BodyStart;
}

interface Posting {
  readonly method?: 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | undefined;
  readonly outbound: SubscriberRequestOptions;
}

/** A delivery does not wait for the rest of a slow response. */
const maxBodyMs = 1_000;

/**
 * Makes one attempt and always resolves. A redirect counts as a response and is not followed. The
 * target rules are checked here as well, because they may have changed since the subscription.
 */
export async function postDelivery({
  method = 'POST',
  url,
  headers,
  body,
  outbound: { agent, rules, timeoutMs },
}: Posting): Promise<PostResult> {
  const startedAt = performance.now();
  // AbortSignal.timeout() would keep its timer, and create an error, for every delivery.
  const overdue = new AbortController();
  const took = () => Math.round(performance.now() - startedAt);
  const failed = (error: string): PostResult => ({ status: null, error, durationMs: took() });
  const fault = rules.whyNot(url);
  if (fault !== undefined) return failed(fault);
  // Ends the attempt at its time, whatever the library does with the signal.
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => undefined);
  let timer = setTimeout(() => {
    overdue.abort();
    late.reject(overdue.signal.reason);
  }, timeoutMs);
  try {
    const requested = request(url, {
      method,
      headers,
      ...(body && { body }),
      dispatcher: agent,
      signal: overdue.signal,
      headersTimeout: timeoutMs,
    });
    requested.catch(() => undefined);
    const responded = await Promise.race([requested, late.promise]);
    const { statusCode, headers: given, body: stream } = responded;
    clearTimeout(timer);
    timer = setTimeout(() => overdue.abort(), maxBodyMs);
    const response = { status: statusCode, headers: given, body: await readStart(stream) };
    return { status: statusCode, error: null, durationMs: took(), response };
  } catch (error) {
    return failed(
      overdue.signal.aborted
        ? `no response within ${timeoutMs} ms`
        : safeOutsideText(whatFailed(error)),
    );
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The code says more than the message, which may contain an address, or names of the target's
 * certificate.
 */
function whatFailed(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${message} (${code})`;
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Why a target that responded with 2xx did nothing; null if it did not say so. */
export function ignoredReason({ response }: Pick<PostResult, 'response'>): IgnoredReason | null {
  const said = response?.headers[ignoredHeaderName];
  return ignoredReasons.find((reason) => reason === said) ?? null;
}

/** The start of a body from another server. */
interface BodyStart {
  readonly bytes: Buffer;
  /** Whether the body has more, or was cut off. */
  readonly isCut: boolean;
}

const maxStart = 4 * 1024;
/** A body up to this length is read to its end, so that the connection can be reused. */
const maxRead = 64 * 1024;

/** Keeps the first 4 KiB. Always resolves; a body that is long, or ends with an error, is cut. */
function readStart(body: Readable): Promise<BodyStart> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (isWhole: boolean) => {
      const bytes = Buffer.concat(chunks);
      resolve({ bytes: bytes.subarray(0, maxStart), isCut: !isWhole || size > maxStart });
    };
    body.on('data', (chunk: Buffer) => {
      if (size < maxStart) chunks.push(chunk);
      size += chunk.length;
      if (size > maxRead) body.destroy();
    });
    body.on('end', () => end(true));
    body.on('error', () => end(false));
    body.on('close', () => end(false));
  });
}

/** Others, such as cookies, are not stored. */
const storedHeaders = [
  'cf-ray',
  'content-encoding',
  'content-length',
  'content-type',
  'location',
  'retry-after',
  'server',
  'via',
  'www-authenticate',
  'x-request-id',
];
const maxHeader = 200;
const maxBody = 1_024;
/** Escapes lengthen a text. */
const maxLine = 10 * maxStart;
/** A secret at the end of what was read may lack its end, in any encoding, and stay unnoticed. */
const maxSecret = 512;

/** Redacts these secrets, such as a signature that the subscriber sends back. */
export function responseRecord(
  { status, headers, body: { bytes, isCut } }: OutsideResponse,
  secrets: readonly string[],
): ResponseRecord {
  const shortest = Math.min(...secrets.map(({ length }) => length));
  const safe = (text: string, maxLength: number) =>
    // To look for secrets takes longer than all else in an attempt. Most responses are too short.
    safeOutsideText(text, { maxLength, secrets: text.length < shortest ? [] : secrets });
  const kept = storedHeaders.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, safe(String(value), maxHeader)]];
  });
  const text = textOf(bytes, String(headers['content-type']));
  const line = safe(text ?? '', maxLine);
  const certain = bytes.length < maxStart ? line : line.slice(0, -maxSecret);
  const body = certain.slice(0, maxBody).toWellFormed();
  return {
    status,
    headers: Object.fromEntries(kept),
    body,
    is_binary: text === undefined,
    is_cut: isCut || body.length < line.length,
  };
}

/** Undefined for bytes that are not text. The last character may be cut. */
function textOf(bytes: Buffer, contentType: string): string | undefined {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
