import { networkFailure, timeoutFailure } from './network-failure.ts';
import { systemClock } from './system-clock.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** What Node brings along, for the command line: it runs without a further package. */
export const fetchTransport: Transport = { clock: systemClock, send: exchange };

async function exchange({
  method,
  url,
  headers,
  body,
  timeoutMs,
  signal,
}: TransportRequest): Promise<TransportResponse> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (timeout.aborted) throw timeoutFailure(url, error);
    throw networkFailure(error, url) ?? error;
  }
}
