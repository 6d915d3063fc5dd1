import {
  type ErrorCode,
  InputError,
  type InputIssue,
  operations,
  type Scope,
  type ScreenAdvertisingError,
} from '@screen-advertising/core';
import { tasks } from '@screen-advertising/core/availability';
import { recordFields } from '@screen-advertising/core/forms';
import { outsideText } from '@screen-advertising/core/platform';
import type { PlainInputField } from 'zapier-platform-core';

/** A trigger, search or create as its owner knows it from the editor; errors use these names. */
export interface Step {
  readonly label: string;
  /** The access needs any one of these. */
  readonly scopes: readonly Scope[];
  readonly fields: PlainInputField[];
  /**
   * What to do about an error code of the client, where this step knows better than the default.
   */
  readonly advice?: Partial<Record<ErrorCode, string>>;
}

/** What an error says to the owner of a Zap: what failed, what the service said, what to do. */
export function messageOf(error: ScreenAdvertisingError, step: Step): string {
  const { requestId } = error;
  return requestId ? `${words(error, step)} Request ID: ${requestId}` : words(error, step);
}

function words(error: ScreenAdvertisingError, step: Step): string {
  if (error instanceof InputError) return inputMessage(error, step);
  const title = titles.find((one) => error.message.startsWith(`${one} `));
  if (title === undefined) return withLabels(withStep(error, step), step);
  const isRelay = relayTitles.includes(title);
  if (error.name === 'ProblemError' && !isRelay) return refusal(error, step);
  return withLabels(`${step.label}${error.message.slice(title.length)}`, step);
}

/** A request that got no response names the server, not what it was for. */
function withStep({ code, message }: ScreenAdvertisingError, { label }: Step): string {
  const isNamed = message.startsWith(label) || !/^(network_error|timeout)$/.test(code);
  return isNamed ? message : `${label} failed: ${message}`;
}

/** What the client of the relay calls its requests. */
const relayTitles = ['Subscribe', 'Unsubscribe', 'List Events', 'Check Connector Key'];

/**
 * The client names operations of the interface, and a step may use several. The longest come first,
 * because one title may begin with another.
 */
const titles = [
  ...[...Object.values(operations), ...Object.values(tasks)].map(({ title }) => title),
  ...relayTitles,
  'The access token request',
].toSorted((one, other) => other.length - one.length);

const advice: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'Correct the values of this step.',
  authentication_failed:
    'Check that the credentials are complete, belong to the base URL, and have not been revoked.',
  missing_scope: 'Ask the Screen Advertising team to grant it.',
  not_found: 'Check the base URL of the connection.',
  conflict: 'Check the values of this step.',
  service_error: 'Replay the step later.',
};

function refusal(error: ScreenAdvertisingError, step: Step): string {
  const { code, status, problem } = error;
  // The service explains each of its errors in a problem document, so this response is not from the
  // service.
  if (code === 'not_found' && !problem) {
    return `${step.label} reached something other than the service (${status}). ${advice.not_found}`;
  }
  if (code === 'rate_limited') {
    const wait = error.retryAfter === undefined ? 'a minute' : `${Math.ceil(error.retryAfter)} s`;
    return `${step.label} reached the rate limit (${status}). Wait ${wait}: Zapier retries the step automatically.`;
  }
  const said = [problem?.detail, problem?.title].find(
    (words) => typeof words === 'string' && words.trim() !== '',
  );
  const quote = said === undefined ? '' : ` The service says: "${outsideText(said)}"`;
  const todo = step.advice?.[code] ?? advice[code];
  return `${step.label} ${whatHappened(code, step)} (${status}).${quote} ${todo}`;
}

function whatHappened(code: ErrorCode, { scopes }: Step): string {
  switch (code) {
    case 'authentication_failed':
      return 'failed because the service did not accept the credentials';
    case 'missing_scope':
      return `needs the scope ${scopes.join(' or ')}, which this access does not have`;
    case 'not_found':
      return 'failed: not found';
    case 'conflict':
      return 'failed because of a conflict';
    case 'service_error':
      return 'failed because the service reported an error';
    default:
      return 'was rejected by the service';
  }
}

function inputMessage({ issues }: InputError, step: Step): string {
  return `${step.label} was not sent: ${issues.map((issue) => issueText(issue, step)).join('; ')}.`;
}

/** A field may end the text of an issue, as in `to must not be before from`. */
function issueText({ field, message }: InputIssue, step: Step): string {
  const [key = '', ...inner] = field.split('.');
  const place = [labelOf(key, step) ?? key, ...inner].join(' → ');
  const text = message.replace(/\w+$/, (last) => labelOf(last, step) ?? last);
  const todo = message === 'is required' ? ': fill it in, or check the step it is mapped from' : '';
  return `${place} ${withLabels(text, step)}${todo}`.trim();
}

function labelOf(key: string, { fields }: Step): string | undefined {
  return fields.find((field) => field.key === key)?.label;
}

/** Replaces names such as `available_sov_pct` with their labels. */
function withLabels(text: string, step: Step): string {
  return text.replace(
    /\b[a-z]+(?:_[a-z]+)+\b/g,
    (name) => labelOf(name, step) ?? recordLabels().get(name) ?? name,
  );
}

function recordLabels(): ReadonlyMap<string, string> {
  const records = [...Object.values(operations), ...Object.values(tasks)].flatMap(recordFields);
  return new Map(records.map(({ name, title }) => [name, title]));
}
