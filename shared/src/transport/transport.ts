import type { Clock } from '../clock.ts';

/** One HTTP request, for a transport to send. */
export interface TransportRequest {
  /** PUT and DELETE are for the relay only. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Absolute, always below the base URL. */
  readonly url: string;
  /** Lower-case names. `authorization` is among them unless the transport authenticates itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  /** The whole attempt, from connecting to the last byte of the body, must end within this. */
  readonly timeoutMs: number;
  /** The caller's own; when it aborts, the transport rejects with its reason. */
  readonly signal?: AbortSignal;
  /**
   * False when sending it twice may do something twice. It must go over a connection that is new or
   * was in use a moment ago: the service may be closing any other, and then nobody knows whether it
   * arrived. Default true.
   */
  readonly isRepeatable?: boolean;
}

/** What came back, whatever its status. */
export interface TransportResponse {
  readonly status: number;
  /** Lower-case names; a header that came several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw text, decoded as UTF-8 and never parsed: numbers beyond 2^53 must survive. */
  readonly body: string;
}

/**
 * The edge of the world: it sends one HTTP request and brings the time.
 *
 * Every status is an answer, none an error. Redirects are never followed. When no answer came
 * it rejects with a `TransportError`; anything else it rejects with passes through untouched.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  readonly clock: Clock;
}
