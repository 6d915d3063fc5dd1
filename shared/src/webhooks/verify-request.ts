import { type Candidate, comparisonOf, type FreshSignature, findScheme } from './find-scheme.ts';
import { keyParts, parseEvent } from './parse-event.ts';
import { readRequestBody, type WebhookRequest } from './request-body.ts';
import { bytesOfHex, type WholeScheme } from './scheme.ts';
import { signatureHeaderName } from './signature.ts';
import {
  accepted,
  readSignature,
  type VerificationOptions,
  type VerifiedEvent,
  verificationOptions,
} from './verify-signature.ts';
import { checkOptions, type RawBody, wrongArgument } from './webhook-body.ts';

export type { WebhookRequest };

/** An event of a verified request. */
export type ReceivedEvent = VerifiedEvent & {
  /** The same for every delivery of one event, as `eventKey` returns it. */
  readonly key: string;
};

/**
 * Verifies a delivery as servers with Fetch's `Request` receive it (Hono, Next.js, workers), then
 * reads the event. Uses WebCrypto, so it works wherever Fetch does. Rejects with
 * WebhookVerificationError; a body with an invalid header, or over 1 MiB, is not read.
 */
export async function verifyRequest(
  request: WebhookRequest,
  options: VerificationOptions,
): Promise<ReceivedEvent> {
  const { arrayBuffer, headers } = Object(request) as Partial<WebhookRequest>;
  if (typeof arrayBuffer !== 'function' || typeof headers?.get !== 'function') {
    throw wrongArgument('verifyRequest needs the Request of Fetch (in Hono, c.req.raw).');
  }
  checkOptions(options, 'verifyRequest', verificationOptions);
  const signature = readSignature(headers.get(signatureHeaderName), options);
  const body = await readRequestBody(request);
  const scheme = accepted(
    await foundScheme(signature, body, options.secrets),
    body,
    options.secrets,
  );
  const event = parseEvent(body);
  const { prefix, content } = keyParts(event, body);
  const hash = await crypto.subtle.digest('SHA-256', await bytesOf([content]));
  return { ...event, scheme, key: prefix + base64Url(hash) };
}

async function foundScheme(
  signature: FreshSignature,
  body: RawBody,
  secrets: readonly string[],
): Promise<WholeScheme | string> {
  const attempts = findScheme(signature, body, secrets);
  let attempt = attempts.next();
  while (!attempt.done) attempt = attempts.next(await isSigned(attempt.value, signature, body));
  return attempt.value;
}

/** Compares in constant time, as WebCrypto does. */
async function isSigned(
  candidate: Candidate,
  signature: FreshSignature,
  body: RawBody,
): Promise<boolean> {
  const input = comparisonOf(candidate, signature, body);
  if (!input) return false;
  const hmac = { name: 'HMAC', hash: input.algorithm.replace('sha', 'SHA-') };
  const raw = await bytesOf([input.key]);
  const key = await crypto.subtle.importKey('raw', raw, hmac, false, ['verify']);
  const content = await bytesOf(input.content);
  for (const one of input.given) {
    const bytes = await bytesOf([bytesOfHex(one) ?? '']);
    if (await crypto.subtle.verify('HMAC', key, bytes, content)) return true;
  }
  return false;
}

/** Fetch brings Blob, which encodes text as the other verifiers do. */
function bytesOf(parts: readonly RawBody[]): Promise<ArrayBuffer> {
  return new Blob(parts as BlobPart[]).arrayBuffer();
}

function base64Url(hash: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}
