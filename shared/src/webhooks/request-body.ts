import { WebhookVerificationError } from '../errors/webhook-verification-error.ts';
import { wrongArgument } from './webhook-body.ts';

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

/**
 * Reads the body of a delivery, at most 1 MiB of it. Rejects with WebhookVerificationError: a larger
 * body is `malformed_body`, one that was read elsewhere `invalid_argument`.
 */
export async function readRequestBody(request: WebhookRequest): Promise<Uint8Array> {
  const { bodyUsed, body } = request;
  if (bodyUsed || body?.locked) {
    const what = bodyUsed ? 'was already read' : 'is being read elsewhere';
    throw wrongArgument(
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

function tooLarge(): WebhookVerificationError {
  return new WebhookVerificationError(
    'malformed_body',
    'The body is larger than 1 MiB, larger than any event. It was not read to its end.',
  );
}
