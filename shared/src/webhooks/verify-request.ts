import {
  checkOptionNames,
  invalidArgumentError,
  type RawBody,
  WebhookVerificationError,
} from './delivery.ts';
import { bytesOfHex, type SchemeWithDefaults } from './scheme.ts';
import { signatureHeaderName } from './signature.ts';
import {
  comparisonOf,
  type FreshSignature,
  findScheme,
  readSignature,
  requireAcceptedScheme,
  type SignatureCandidate,
  type VerificationOptions,
  type VerifiedEvent,
  verificationOptions,
} from './verify-signature.ts';
import { eventKeyParts, parseEvent } from './webhook-event.ts';

/** The used part of Fetch's `Request`. */
export interface WebhookRequest {
  /** The headers of the request. */
  readonly headers: WebhookHeaders;
  /** Whether something has read the body. */
  readonly bodyUsed: boolean;
  /** The body as it arrives. Not every runtime has it. */
  readonly body?: BodyStream | null;
  /** Reads the whole body. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The used part of Fetch's `Headers`. */
interface WebhookHeaders {
  /** The value of a header, by its name in any case. */
  get(name: string): string | null;
}

/** The used part of a `ReadableStream`. */
interface BodyStream {
  /** Whether something is reading it. */
  readonly locked: boolean;
  /** Locks the stream to one reader. */
  getReader(): BodyReader;
}

/** The used part of a `ReadableStreamDefaultReader`. */
interface BodyReader {
  /** Reads the next part. */
  read(): Promise<BodyPart>;
  /** Reads no more of the body. */
  cancel(): Promise<unknown>;
}

interface BodyPart {
  /** Whether the body has ended. */
  readonly done: boolean;
  /** The bytes, unless the body has ended. */
  readonly value?: Uint8Array | undefined;
}

/** An event has some hundred bytes. */
const maxBodyBytes = 1024 * 1024;

function tooLarge(): WebhookVerificationError {
  return new WebhookVerificationError(
    'malformed_body',
    'The body is larger than 1 MiB, larger than any event. It was not read to its end.',
  );
}

/**
 * Reads the body of a delivery, at most 1 MiB of it. Rejects with WebhookVerificationError: a larger
 * body is `malformed_body`, one that was read elsewhere `invalid_argument`.
 */
async function readRequestBody(request: WebhookRequest): Promise<Uint8Array> {
  const { bodyUsed, body } = request;
  if (bodyUsed || body?.locked) {
    const what = bodyUsed ? 'was already read' : 'is being read elsewhere';
    throw invalidArgumentError(
      `The body of the request ${what}. Verify the request first, or pass request.clone().`,
    );
  }
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw tooLarge();
  if (!body) return new Uint8Array(await request.arrayBuffer());
  const reader = body.getReader();
  const bytes = new Uint8Array(maxBodyBytes);
  let size = 0;
  for (let next = await reader.read(); next.value; next = await reader.read()) {
    if (size + next.value.byteLength > maxBodyBytes) {
      await reader.cancel();
      throw tooLarge();
    }
    bytes.set(next.value, size);
    size += next.value.byteLength;
  }
  return bytes.slice(0, size);
}

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
    throw invalidArgumentError('verifyRequest needs the Request of Fetch (in Hono, c.req.raw).');
  }
  checkOptionNames(options, 'verifyRequest', verificationOptions);
  const signature = readSignature(headers.get(signatureHeaderName), options);
  const body = await readRequestBody(request);
  const scheme = requireAcceptedScheme(
    await foundScheme(signature, body, options.secrets),
    body,
    options.secrets,
  );
  const event = parseEvent(body);
  const { prefix, content } = eventKeyParts(event, body);
  const hash = await crypto.subtle.digest('SHA-256', await bytesOf([content]));
  return { ...event, scheme, key: prefix + base64Url(hash) };
}

async function foundScheme(
  signature: FreshSignature,
  body: RawBody,
  secrets: readonly string[],
): Promise<SchemeWithDefaults | string> {
  const attempts = findScheme(signature, body, secrets);
  let attempt = attempts.next();
  while (!attempt.done) attempt = attempts.next(await isSigned(attempt.value, signature, body));
  return attempt.value;
}

/** Compares in constant time, as WebCrypto does. */
async function isSigned(
  candidate: SignatureCandidate,
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
