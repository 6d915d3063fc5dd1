import { isRecord } from '../json.ts';
import { checkBody, checkSecret, type WebhookBody, wrongArgument } from './arguments.ts';
import { createSigner, type SignatureScheme } from './digest.ts';

export interface SignWebhookOptions extends SignatureScheme {
  readonly body: WebhookBody;
  readonly secret: string;
  /** Whole seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number;
}

/** Later than the year 5000: the caller passed milliseconds. */
const maxSeconds = 99_999_999_999;

/** Value of the header `X-Service-Signature` as the service sends it (section 6). */
export function signWebhook(options: SignWebhookOptions): string {
  if (!isRecord(options)) throw wrongArgument('signWebhook needs an object of options.');
  const { body, secret, timestamp } = options;
  checkBody(body);
  checkSecret(secret, 'secret');
  if (!Number.isSafeInteger(timestamp) || timestamp < 0 || timestamp > maxSeconds) {
    throw wrongArgument('timestamp must be whole seconds since 1970, not milliseconds.');
  }
  return `t=${timestamp},v1=${createSigner(options).sign(secret, String(timestamp), body)}`;
}
