import type { Clock } from '../clock.ts';

/** One HTTP request for a transport to send. */
export interface TransportRequest {
  /** PUT and DELETE are for the relay only. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Absolute, always below the base URL. */
  readonly url: string;
  /** Lower-case names. Includes `authorization` unless the transport authenticates itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  /** Limit for the whole attempt, from connecting to the last byte of the body. */
  readonly timeoutMs: number;
  /** The caller's signal. When it aborts, the transport rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Called when the request leaves the transport's own queue, if it has one. */
  readonly onSend?: () => void;
  /** Called when the signal aborts and nothing was sent: in the queue, or while connecting. */
  readonly onUnsent?: () => void;
}

/** A response, whatever its status. */
export interface TransportResponse {
  /** HTTP status, such as 200. */
  readonly status: number;
  /** Lower-case names; a header sent several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw text, decoded as UTF-8 and never parsed: numbers beyond 2^53 must survive. */
  readonly body: string;
}

/**
 * The boundary to the outside world: sends HTTP requests and provides the time.
 *
 * A response with any status resolves. Redirects are never followed. Without a response, it rejects
 * with a `TransportError`; anything else it rejects with passes through untouched.
 */
export interface Transport {
  /** Names the platform in the header `user-agent`, such as `node 24.21.0; linux`. */
  readonly runtime?: string;
  /** Sends one request, once, and ends within its `timeoutMs`: only a deadline or signal of the call also ends it. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Where the client reads the time and waits. */
  readonly clock: Clock;
}
