import type { Operation } from '../catalogue/operation.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { TransportError } from '../errors/transport-error.ts';
import type { Transport } from '../transport/transport.ts';
import type { Access } from './access.ts';
import { readAnswer } from './answer.ts';
import { type CallContext, errorFrom, unusable } from './problem.ts';
import type { PreparedRequest } from './request.ts';

/** What one try of a call needs. */
export interface Try {
  readonly access: Access;
  readonly transport: Transport;
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly request: PreparedRequest;
  readonly timeoutMs: number;
  /** Clock time at which the caller gives up. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * How a try ended. `isApplied` tells whether the service may have carried the request out:
 * `no` when it was never sent or was refused, `maybe` when the answer was lost.
 */
export type Outcome =
  | { readonly value: unknown }
  | {
      readonly error: ScreenAdvertisingError;
      readonly isApplied: 'no' | 'maybe';
      /** The token that was refused with 401. */
      readonly refusedToken?: string | undefined;
    };

/** Sends once. Rejects only with errors that are not of this package, and with abort reasons. */
export async function exchange(attempt: Try): Promise<Outcome> {
  let token: string | undefined;
  try {
    token = await bearer(attempt);
  } catch (error) {
    return notSent(error);
  }
  let release: () => void;
  try {
    const { signal, deadline } = attempt;
    release = await attempt.access.limiter.acquire({ signal, latest: deadline });
  } catch (error) {
    return notSent(error);
  }
  try {
    return await send(attempt, token);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { error, isApplied: error.sent };
  } finally {
    release();
  }
}

function notSent(error: unknown): Outcome {
  if (!ScreenAdvertisingError.isInstance(error)) throw error;
  return { error, isApplied: 'no' };
}

async function bearer(attempt: Try): Promise<string | undefined> {
  const { auth, tokens } = attempt.access;
  if (auth.kind === 'api-key') return auth.key;
  return tokens?.get(attempt);
}

async function send(attempt: Try, token: string | undefined): Promise<Outcome> {
  const { transport, operation, input, request, signal, deadline } = attempt;
  const left = deadline - transport.clock.now();
  const response = await transport.send({
    ...request,
    headers: token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers,
    timeoutMs: Math.max(1, Math.min(attempt.timeoutMs, left)),
    ...(signal && { signal }),
  });
  const context = contextOf(attempt, token);
  if (response.status >= 200 && response.status < 300) {
    const value = readAnswer(operation, input, response);
    return value === undefined
      ? { error: unusable(response, context), isApplied: 'maybe' }
      : { value };
  }
  return {
    error: errorFrom(response, context),
    isApplied: response.status >= 500 || response.status === 408 ? 'maybe' : 'no',
    refusedToken: response.status === 401 ? token : undefined,
  };
}

function contextOf({ access: { auth }, operation, transport }: Try, token?: string): CallContext {
  const secrets = auth.kind === 'client-credentials' ? [auth.clientSecret] : [];
  return {
    title: operation.title,
    scopes: operation.scopes,
    now: transport.clock.now(),
    secrets: token ? [...secrets, token] : secrets,
  };
}
