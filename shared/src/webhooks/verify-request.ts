import { isRecord } from '../json.ts';
import { keyParts, parseEvent } from './parse-event.ts';
import { readRequestBody, type WebhookRequest } from './request-body.ts';
import { type SignatureAlgorithm, signatureHeaderName } from './signature.ts';
import {
  type FreshSignature,
  mismatch,
  readSignature,
  type VerificationOptions,
} from './verify-signature.ts';
import { type RawBody, wrongArgument } from './webhook-body.ts';
import type { WebhookEvent } from './webhook-event.ts';

export type { WebhookRequest };

/** An event of a verified request. */
export type ReceivedEvent = WebhookEvent & {
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
  if (!isRecord(request) || typeof request.arrayBuffer !== 'function') {
    throw wrongArgument(
      'verifyRequest needs a request of the Fetch API, then an object of options.',
    );
  }
  if (!isRecord(options)) throw wrongArgument('verifyRequest needs an object of options.');
  const signature = readSignature(request.headers.get(signatureHeaderName), options);
  const body = await readRequestBody(request);
  if (!(await isSigned(body, signature, options.secrets))) throw mismatch(body, options.secrets);
  const event = parseEvent(body);
  const { prefix, content } = keyParts(event, body);
  const hash = await crypto.subtle.digest('SHA-256', bytesOf([content]));
  return { ...event, key: prefix + base64Url(hash) };
}

/** Compares in constant time, as WebCrypto does. */
async function isSigned(
  body: RawBody,
  { algorithm, contentOf, timestamp, signatures }: FreshSignature,
  secrets: readonly string[],
): Promise<boolean> {
  const content = bytesOf(contentOf(timestamp, body));
  for (const secret of secrets) {
    const key = await hmacKey(secret, algorithm);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, bytesOfHex(signature), content)) return true;
    }
  }
  return false;
}

function hmacKey(secret: string, algorithm: SignatureAlgorithm): Promise<CryptoKey> {
  const hash = algorithm.replace('sha', 'SHA-');
  return crypto.subtle.importKey('raw', bytesOf([secret]), { name: 'HMAC', hash }, false, [
    'verify',
  ]);
}

function bytesOf(parts: readonly RawBody[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const all = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  const bytes = new Uint8Array(all.reduce((size, { byteLength }) => size + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of all) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function base64Url(hash: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}
