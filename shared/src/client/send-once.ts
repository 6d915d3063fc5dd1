import { TransportError } from '../errors/transport-error.ts';
import { failureBeforeSend, failureFromResponse } from './attempt-failure.ts';
import type { OngoingCall, Outcome } from './ongoing-call.ts';
import type { Release } from './rate-limit.ts';
import { parseResponse } from './response.ts';
import type { TokenSource } from './token-source.ts';

/**
 * Sends one attempt, from the head of the queue if `isNext`. Rejects only with errors from outside
 * this package, and with abort reasons.
 */
export async function sendOnce(call: OngoingCall, isNext = false): Promise<Outcome> {
  const { access, deadline, retry, signal } = call;
  const { auth, limiter, tokens } = access;
  let token = 'key' in auth ? auth.key : undefined;
  let release: Release | undefined;
  try {
    // Gets the token before the slot, so that no caller holds a slot while waiting for a token.
    // Gets it again afterwards, because the token may have expired while waiting for the slot.
    if (tokens) await tokenFor(call, tokens);
    const { maxWaitMs: maxPauseMs } = retry;
    release = await limiter?.acquire({ signal, latest: deadline?.at, maxPauseMs, isNext });
    if (tokens) token = await tokenFor(call, tokens);
  } catch (error) {
    release?.();
    return failureBeforeSend(error, call);
  }
  try {
    const outcome = await exchange(call, token);
    if ('error' in outcome && outcome.error.code === 'rate_limited') release?.('refused');
    return outcome;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { error, isApplied: error.sent };
  } finally {
    release?.();
  }
}

function tokenFor(call: OngoingCall, tokens: TokenSource): Promise<string> {
  const { transport, timeoutMs, signal, deadline, retry } = call;
  const patience = transport.clock.now() + retry.maxWaitMs;
  const latest = deadline ? Math.min(deadline.at, patience) : patience;
  return tokens.get({ transport, timeoutMs, signal, latest });
}

async function exchange(call: OngoingCall, token: string | undefined): Promise<Outcome> {
  const { transport, operation, input, request, timeoutMs, signal } = call;
  const response = await transport.send({
    ...request,
    headers: token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers,
    timeoutMs,
    isRepeatable: operation.recovery !== 'none',
    ...(signal && { signal }),
  });
  const isSuccess = response.status >= 200 && response.status < 300;
  const value = isSuccess ? parseResponse(operation, input, response) : undefined;
  return value === undefined ? failureFromResponse(call, response, token) : { value };
}
