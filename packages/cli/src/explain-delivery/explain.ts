import { parseEvent, verifySignature, WebhookVerificationError } from '@screen-advertising/core';
import {
  type DeliveryScheme,
  defaultToleranceSeconds,
  signatureHeaderName,
} from '@screen-advertising/core/webhooks';
import { alterations } from './alterations.ts';

/** A request as captured. */
export interface Captured {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Reads an optional request line, headers, an empty line, and the body. Lines end in LF or CRLF. */
export function readCaptured(bytes: Uint8Array): Captured | undefined {
  const text = Buffer.from(bytes).toString('latin1');
  const [head] = /^[\s\S]*?\r?\n\r?\n/.exec(text) ?? [];
  if (head === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (const line of head.split(/\r?\n/)) {
    const [, name, value] = /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name && value !== undefined) headers[name.toLowerCase()] = value;
  }
  return { headers, body: bytes.subarray(head.length) };
}

/** What a receiver makes of a delivery, as printed. */
export interface Explanation {
  readonly verified: boolean;
  readonly scheme: { algorithm: string; signed_content: string; key: string } | null;
  /** Negative for a time in the future; null if the header has none. */
  readonly age_seconds: number | null;
  readonly type: string | null;
  readonly id: string | null;
  /** Names of the fields of the event. */
  readonly fields: readonly string[];
  /** What is wrong, why that may be, and what to watch. Sentences. */
  readonly notes: readonly string[];
}

/** Explains a delivery at a time in milliseconds since 1970. */
export function explain({ headers, body }: Captured, secret: string, now: number): Explanation {
  const signature = headers[signatureHeaderName];
  const [, t] = /(?:^|[,\s])t=(\d{1,15})(?:,|$)/.exec(signature ?? '') ?? [];
  const isMilliseconds = Number(t) > latestSeconds;
  const seconds = isMilliseconds ? Math.floor(Number(t) / 1000) : Number(t);
  const age = t === undefined ? null : Math.floor(now / 1000) - seconds;
  const verify: Verify = (bytes, key) =>
    verifySignature({
      body: bytes,
      signature,
      secrets: [key],
      toleranceSeconds: Number.MAX_SAFE_INTEGER,
      now: () => now,
    });
  const notes: string[] = [];
  let scheme: DeliveryScheme | undefined;
  try {
    scheme = verify(body, secret);
  } catch (error) {
    if (!WebhookVerificationError.isInstance(error)) throw error;
    const { message, reason } = error;
    notes.push(message, ...(hints[reason]?.(headers) ?? []));
    if (reason === 'signature_mismatch') notes.push(likelyCause(verify, body, secret));
  }
  if (scheme?.signedContent === '{body}') notes.push(timeless);
  if (isMilliseconds) notes.push(inMilliseconds);
  if (scheme && Math.abs(age ?? 0) > defaultToleranceSeconds) notes.push(stale);
  return {
    verified: scheme !== undefined,
    scheme: scheme
      ? { algorithm: scheme.algorithm, signed_content: scheme.signedContent, key: scheme.key }
      : null,
    age_seconds: age,
    ...eventIn(body, notes),
    notes,
  };
}

/** Later than the year 5000: milliseconds. */
const latestSeconds = 99_999_999_999;
const inMilliseconds =
  'The time t is in milliseconds. The service sends seconds, so receivers refuse this delivery as one from the future.';
const timeless = 'The time is not signed, so a receiver recognizes a replay only as a duplicate.';
const stale = `Receivers refuse a delivery that is older than ${defaultToleranceSeconds} s when it arrives. If it was, check the clocks, or what held it back.`;

const hints: Readonly<Record<string, (headers: Captured['headers']) => string[]>> = {
  missing_signature: (headers) => [
    'webhook-signature' in headers
      ? 'This is a delivery of a relay, which signs in another way: its page explains it.'
      : `These headers arrived: ${Object.keys(headers).join(', ') || 'none'}. A proxy may remove others.`,
  ],
  malformed_signature: ({ [signatureHeaderName]: value = '' }) => [
    `It has ${value.length} characters: capture it again if it was cut.`,
  ],
};

type Verify = (body: Uint8Array, secret: string) => DeliveryScheme;

/** The first change to the body or the secret after which the signature fits. */
function likelyCause(verify: Verify, body: Uint8Array, secret: string): string {
  for (const { cause, apply } of alterations) {
    const [changed, key] = apply(body, secret) ?? [];
    if (!changed || !key) continue;
    try {
      const { algorithm, signedContent } = verify(changed, key);
      return `${cause} Then ${algorithm} over ${signedContent} fits.`;
    } catch {
      // Neither is this the cause.
    }
  }
  return `Also tried ${alterations.length} changes that proxies make to a body. Most likely, the secret belongs to another access, or was replaced.`;
}

function eventIn(body: Uint8Array, notes: string[]) {
  try {
    const { type, id, data } = parseEvent(body);
    return { type, id: id ?? null, fields: Object.keys(data) };
  } catch (error) {
    notes.push((error as Error).message);
    return { type: null, id: null, fields: [] };
  }
}
