import { dateOf } from '../clock.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { TransportError } from '../errors/transport-error.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { deadlineFailure } from './deadline.ts';
import { errorFrom, unusable } from './error-from-response.ts';
import type { Failure, OngoingCall } from './ongoing-call.ts';
import { redactor } from './redact.ts';
import type { SharedAccess } from './shared-access.ts';

/**
 * The failure of an attempt whose own request was never sent, even if a token request was. Rethrows
 * errors from outside this package, and abort reasons.
 */
export function failureBeforeSend(error: unknown, call: OngoingCall): Failure {
  if (!ScreenAdvertisingError.isInstance(error)) throw error;
  return { error: errorBefore(error, call), isApplied: 'no' };
}

function errorBefore(
  error: ScreenAdvertisingError,
  { operation, deadline }: OngoingCall,
): ScreenAdvertisingError {
  if (error === deadline?.reason) return deadlineFailure(operation.title, 'no');
  if (!(error instanceof TransportError)) return error;
  return new TransportError(
    `${operation.title} was not sent: getting an access token failed. ${error.message}`,
    { code: error.code, sent: 'no', isRetryable: error.isRetryable, cause: error },
  );
}

/** The failure of an attempt whose response is a refusal, a service failure, or unreadable. */
export async function failureFromResponse(
  { access, peer, operation, transport }: OngoingCall,
  response: TransportResponse,
  token: string | undefined,
): Promise<Failure> {
  const { status } = response;
  const { title, path, scopes } = operation;
  const redact = redactor([...(await secretsOf(access)), token ?? '']);
  const context = {
    peer,
    title,
    path,
    scopes,
    now: dateOf(transport.clock),
    redact: (words: string) => peer.quoted(redact(words)),
  };
  if (status < 300) return { error: unusable(response, context), isApplied: 'maybe' };
  const isRefused = status < 500 && status !== 408;
  return {
    error: errorFrom(response, context),
    isApplied: isRefused ? 'no' : 'maybe',
    refusedToken: status === 401 ? token : undefined,
  };
}

async function secretsOf({ auth }: SharedAccess): Promise<readonly string[]> {
  if (auth.kind === 'platform') return auth.secrets?.() ?? [];
  if (auth.kind === 'connector-key') return auth.secrets;
  return auth.kind === 'client-credentials' ? [auth.clientSecret] : [];
}
