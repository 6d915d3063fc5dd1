import {
  type ErrorCode,
  InputError,
  type InputIssue,
  operations,
  type Scope,
  ScreenAdvertisingError,
  WebhookVerificationError,
} from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { recordFields } from '@screen-advertising/core/forms';
import {
  causeDescription,
  joinSentences,
  safeOutsideText,
} from '@screen-advertising/core/platform';
import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { zapierFieldKey } from './fields.ts';
import { runDeadlineMs } from './limits.ts';

export interface ErrorOptions {
  /** Seconds: the most that a throttled run waits, at random, beyond what the service asks. */
  readonly spreadSeconds?: number;
  /** While the user connects, refused credentials are a message in the form. */
  readonly isConnecting?: boolean;
}

type Run<Result> = (z: ZObject, bundle: Bundle) => Promise<Result>;

/** Makes a function of the app throw the errors that Zapier acts on, naming its step. */
export function withZapierErrors<Result>(
  run: Run<Result>,
  step: NamedStep,
  options: ErrorOptions = {},
): Run<Result> {
  return async (z, bundle) => {
    try {
      return await run(z, bundle);
    } catch (error) {
      throw toZapierError(z, error, step, options);
    }
  };
}

/**
 * Turns the core's errors into the ones that Zapier acts on; all others pass through, without the
 * log of the run, which holds the input.
 *
 * - ThrottledError: Zapier runs the step again after the delay.
 * - HaltedError: the run ends, and Zapier notifies no one. Only for what needs no person: a delivery
 *   without a signature comes from a stranger, and a step may find its work done (`halt`).
 * - ExpiredAuthError: Zapier asks the owner to connect again.
 * - Error: the run failed, Zapier notifies its owner, who can replay it. Zapier may do so automatically
 *   (autoreplay), which does no harm: coupons are found again, and revoked once.
 */
export function toZapierError(
  z: ZObject,
  error: unknown,
  step: NamedStep,
  options: ErrorOptions = {},
): unknown {
  if (!ScreenAdvertisingError.isInstance(error)) {
    return error instanceof Error ? withoutRequestLog(error) : error;
  }
  return withoutRequestLog(mapped(z, error, errorMessageOf(error, step), options));
}

function mapped(
  z: ZObject,
  error: ScreenAdvertisingError,
  message: string,
  options: ErrorOptions,
): Error {
  const { code } = error;
  if (isThrottle(error)) return new z.errors.ThrottledError(message, delayOf(error, options));
  if (isFromStranger(error)) return new z.errors.HaltedError(message);
  if (code === 'authentication_failed' && !options.isConnecting) {
    const says = /\bconnect again\b/i.test(message) ? message : `${message} Then connect again.`;
    return new z.errors.ExpiredAuthError(says);
  }
  return new z.errors.Error(message, typeOf(error), error.status);
}

/** The service says when to retry. */
function isThrottle({ code, retryAfter }: ScreenAdvertisingError): boolean {
  const isOverload = code === 'service_error' || code === 'outcome_unknown';
  return code === 'rate_limited' || (isOverload && retryAfter !== undefined);
}

/** Any other delivery that is refused is a lost event, of which its owner must hear. */
function isFromStranger(error: ScreenAdvertisingError): boolean {
  return error instanceof WebhookVerificationError && error.reason === 'missing_signature';
}

/** Ends a run whose work is done already. Zapier notifies no one, so this must have been read. */
export function createHaltedError(z: ZObject, why: string): Error {
  return withoutRequestLog(new z.errors.HaltedError(why));
}

/** The service's own name for the problem, unless the outcome is unknown. */
function typeOf({ code, problem }: ScreenAdvertisingError): string {
  const isNamed = code !== 'outcome_unknown' && typeof problem?.type === 'string';
  return isNamed ? safeOutsideText(problem.type) : code;
}

/** Zapier takes whole seconds; without a value it chooses the delay. */
function delayOf(
  { retryAfter }: ScreenAdvertisingError,
  { spreadSeconds = 0 }: ErrorOptions,
): number | undefined {
  return retryAfter === undefined
    ? undefined
    : Math.ceil(retryAfter + Math.random() * spreadSeconds);
}

/**
 * Without this mark, zapier-platform-core appends its log of requests and responses to the message.
 */
export function withoutRequestLog(error: Error): Error {
  return Object.assign(error, { doNotContextify: true });
}

/** Where the owner of a Zap meets an error: only a step can be replayed. */
type Place = 'step' | 'poll' | 'list' | 'connection' | 'session';

/** A trigger, search or create as its owner knows it from the editor; errors use these names. */
export interface NamedStep {
  readonly label: string;
  /** Default: `step`. */
  readonly place?: Place;
  /** The access needs any one of these. */
  readonly scopes: readonly Scope[];
  readonly fields: PlainInputField[];
  /**
   * The remedy for an error code of the client, where this step knows a better one.
   */
  readonly advice?: Partial<
    Record<ErrorCode, string | ((error: ScreenAdvertisingError) => string)>
  >;
}

/** An error in words for the owner of a Zap: what failed, what the service said, what to do. */
export function errorMessageOf(error: ScreenAdvertisingError, step: NamedStep): string {
  const { requestId } = error;
  // A step knows no deadline, only the time that Zapier gives it.
  const text = words(error, step).replaceAll(' before the deadline of the call', inTime);
  return requestId ? `${text} Request ID: ${requestId}` : text;
}

const inTime = ` within ${runDeadlineMs / 1000} s`;

function words(error: ScreenAdvertisingError, step: NamedStep): string {
  if (error instanceof InputError) return inputMessage(error, step);
  const happened = withLabels(whatHappened(error, step), step);
  const own = [happened, todo(error, step)].map((text) => text && withUrlField(text, error));
  return joinSentences([own[0], error.said, own[1], causeDescription(error)]);
}

/** A connection has two addresses, each in its own field. */
function withUrlField(text: string, { operation, summary }: ScreenAdvertisingError): string {
  const isOfRelay =
    (operation !== undefined && !isOfService(operation)) || / relay\b/.test(summary);
  const field = isOfRelay ? '$1 Relay Base URL' : '$1 Base URL';
  const named = text.replace(/\b(the|this) base URL(?: of the (?:relay|connection))?\b/gi, field);
  return isOfRelay ? named.replace('the service is running', 'the relay is running') : named;
}

function isOfService(operation: string): boolean {
  return operation === 'token' || operation in operations;
}

/** The client names operations of the interface, and a step may use several. */
function whatHappened(
  { title, summary, code }: ScreenAdvertisingError,
  { label }: NamedStep,
): string {
  if (title !== undefined) return `${label}${summary.slice(title.length)}`;
  // A request that got no response names the server, not what it was for.
  return /^(network_error|timeout)$/.test(code) ? `${label} failed: ${summary}` : summary;
}

const advice: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'Correct the values of this step.',
  authentication_failed:
    'Check that the credentials are complete, belong to the base URL, and have not been revoked.',
  missing_scope: 'Ask the Screen Advertising team to grant it.',
  not_found: 'Check the base URL of the connection.',
  conflict: 'Check the values of this step.',
};

/** The remedies where a later attempt may succeed, and where Zapier makes it automatically. */
const retries: Readonly<Record<Place, { later: string; after: (wait: string) => string }>> = {
  step: {
    later: 'Replay the step later.',
    after: (wait) => `Wait ${wait}: Zapier retries the step automatically.`,
  },
  poll: {
    later: 'Zapier checks again with the next poll.',
    after: (wait) => `Wait ${wait}: Zapier checks again automatically.`,
  },
  list: {
    later: 'Load the list again later.',
    after: (wait) => `Load the list again in ${wait}.`,
  },
  connection: {
    later: 'Test the connection again later.',
    after: (wait) => `Test the connection again in ${wait}.`,
  },
  session: {
    later: 'Zapier requests another token with the next run.',
    after: (wait) => `Wait ${wait}: Zapier requests another token automatically.`,
  },
};

/** The remedy when it is unknown what became of a change. `isHarmless`: why a second one is. */
export function remedyForUnknownOutcome(isHarmless: string) {
  return ({ retryAfter }: ScreenAdvertisingError): string =>
    retryAfter === undefined
      ? `Replay the step. ${isHarmless}`
      : `${retries.step.after(`${Math.ceil(retryAfter)} s`)} ${isHarmless}`;
}

/** The owner of a Zap sees a connection and steps, where the client speaks of base URL and fields. */
function todo(error: ScreenAdvertisingError, step: NamedStep): string | undefined {
  const { code, problem, operation = '', retryAfter, remedy, title } = error;
  const { later, after } = retries[step.place ?? 'step'];
  const ofStep = step.advice?.[code];
  const own = typeof ofStep === 'function' ? ofStep(error) : ofStep;
  // A step has no setting for its time.
  if (code === 'timeout' && (operation || !remedy)) return later;
  if (title === undefined || !isOfService(operation)) return remedy;
  if (error.name !== 'ProblemError') return own ?? remedy;
  if (code === 'rate_limited' || (code === 'service_error' && retryAfter !== undefined)) {
    return after(retryAfter === undefined ? 'a minute' : `${Math.ceil(retryAfter)} s`);
  }
  if (code === 'service_error') return later;
  // A status that proves nothing of the service may come from another address.
  if (code === 'unexpected_response' && !problem) return advice.not_found;
  return own ?? advice[code];
}

function inputMessage({ issues }: InputError, step: NamedStep): string {
  return `${step.label} was not sent: ${issues.map((issue) => issueText(issue, step)).join('; ')}.`;
}

/** A field may end the text of an issue, as in `to must not be before from`. */
function issueText({ field, message }: InputIssue, step: NamedStep): string {
  const [key = '', ...inner] = field.split('.');
  const place = [labelOf(key, step) ?? key, ...inner].join(' → ');
  const text = message.replace(/\w+$/, (last) => labelOf(last, step) ?? last);
  const todo = message === 'is required' ? ': fill it in, or check the step it is mapped from' : '';
  return `${place} ${withLabels(text, step)}${todo}`.trim();
}

function labelOf(key: string, { fields }: NamedStep): string | undefined {
  return fields.find((field) => field.key === zapierFieldKey(key))?.label;
}

/** Replaces names such as `available_sov_pct` with their labels. */
function withLabels(text: string, step: NamedStep): string {
  return text.replace(
    /\b[a-z]+(?:_[a-z]+)+\b/g,
    (name) => labelOf(name, step) ?? recordLabels().get(name) ?? name,
  );
}

function recordLabels(): ReadonlyMap<string, string> {
  const records = [...Object.values(operations), ...Object.values(compoundOperations)].flatMap(
    recordFields,
  );
  return new Map(records.map(({ name, title }) => [name, title]));
}
