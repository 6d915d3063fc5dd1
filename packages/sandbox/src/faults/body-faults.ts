import { setTimeout } from 'node:timers/promises';
import type { FaultAction } from './fault-rule.ts';

/** Statuses whose responses never have a body. */
export const nullBodyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

const chunks = 20;

/** Returns the response with a corrupted body. Other faults leave it unchanged. */
export async function corruptBody(fault: FaultAction, response: Response): Promise<Response> {
  switch (fault.fault) {
    case 'malformed-json':
      return withBody(response, `${(await response.text()).slice(0, -1)},,`);
    case 'empty-body':
      return withBody(response, '');
    case 'html-body':
      return withBody(
        response,
        '<!doctype html><title>502</title><h1>Bad gateway</h1>',
        'text/html',
      );
    case 'content-type':
      return withBody(response, await response.text(), fault.contentType);
    case 'slow-body':
      return withBody(response, drip(new Uint8Array(await response.arrayBuffer()), fault.ms));
    default:
      return response;
  }
}

/** A response without a body gets status 200 along with the corrupted one. */
function withBody(
  { status, headers }: Response,
  body: string | ReadableStream<Uint8Array>,
  contentType?: string,
): Response {
  const changed = new Headers(headers);
  if (contentType !== undefined) changed.set('content-type', contentType);
  if (!nullBodyStatuses.has(status)) return new Response(body, { status, headers: changed });
  if (body === '') return new Response(null, { status, headers: changed });
  if (!changed.has('content-type')) changed.set('content-type', 'application/json');
  return new Response(body, { status: 200, headers: changed });
}

/** Sends the body in small pieces, over `ms` real milliseconds in total. */
function drip(body: Uint8Array, ms: number): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.ceil(body.length / chunks));
  const givenUp = new AbortController();
  let sent = 0;
  return new ReadableStream({
    async pull(stream) {
      await delay(ms / chunks, givenUp.signal);
      if (sent >= body.length) return stream.close();
      stream.enqueue(body.slice(sent, sent + size));
      sent += size;
    },
    cancel: () => givenUp.abort(),
  });
}

/** Waits in real time, whatever the sandbox clock does. Ends early on abort. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
