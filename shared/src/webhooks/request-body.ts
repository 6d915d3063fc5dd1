import { WebhookVerificationError } from '../errors/webhook-verification-error.ts';
import { wrongArgument } from './webhook-body.ts';

/** The used part of Fetch's `Request`. */
export interface WebhookRequest {
  readonly headers: { get(name: string): string | null };
  readonly bodyUsed: boolean;
  /** Not every runtime has it. */
  readonly body?: BodyStream | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The used part of a `ReadableStream`. */
interface BodyStream {
  readonly locked: boolean;
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<unknown>;
  };
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
