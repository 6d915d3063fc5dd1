import type { Transport } from '@screen-advertising/core';

/** A request to a case. */
export interface CaseRequest {
  readonly url: string;
  readonly timeoutMs: number;
}

/** What a transport makes of each case, in one line. It imports nothing: every runtime runs it. */
export async function outcomesOf(
  transport: Transport,
  requests: readonly CaseRequest[],
): Promise<string[]> {
  const outcomes: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests.length) {
      const nth = next++;
      outcomes[nth] = await outcomeOf(transport, requests[nth] as CaseRequest);
    }
  };
  // Few at once: a busy machine must not take the time of a case for another one.
  await Promise.all(Array.from({ length: 8 }, work));
  return outcomes;
}

async function outcomeOf(transport: Transport, { url, timeoutMs }: CaseRequest): Promise<string> {
  const headers = { accept: 'application/json' };
  try {
    const response = await transport.send({ method: 'GET', url, headers, timeoutMs });
    const { 'retry-after': seconds } = response.headers;
    const isText = /^[\x20-\x7e]*$/.test(response.body);
    const body = isText ? response.body.slice(0, 100) : 'not JSON';
    return `${response.status} ${body}${seconds === undefined ? '' : ` retry-after: ${seconds}`}`;
  } catch (error) {
    const { code, sent, isRetryable } = error as Record<string, unknown>;
    if (typeof sent !== 'string') return `not a TransportError: ${error}`;
    return `${code}, sent: ${sent}${isRetryable ? '' : ', final'}`;
  }
}
