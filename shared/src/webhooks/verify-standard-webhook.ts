import { createHmac, timingSafeEqual } from '#crypto';
import {
  checkOptionNames,
  checkRawBody,
  invalidArgumentError,
  type WebhookBody,
  WebhookVerificationError,
} from './delivery.ts';
import { bytesOfBase64, hmacKeyOf } from './scheme.ts';
import {
  checkSecrets,
  checkSignatureAge,
  isLossyText,
  signatureMismatchError,
  type VerificationOptions,
} from './verify-signature.ts';

type Header = string | readonly string[] | null | undefined;

/** A delivery in the scheme of Standard Webhooks, and whose deliveries to accept. */
export interface StandardWebhookOptions
  extends Pick<VerificationOptions, 'secrets' | 'toleranceSeconds' | 'now'> {
  /** Raw, as received. */
  readonly body: WebhookBody;
  /** Value of the header `webhook-id`, which the signature covers. */
  readonly id: Header;
  /** Value of the header `webhook-timestamp`, in seconds. */
  readonly timestamp: Header;
  /** Value of the header `webhook-signature`. */
  readonly signature: Header;
}

const optionNames = ['body', 'id', 'timestamp', 'signature', 'secrets', 'toleranceSeconds', 'now'];

/** A secret signs with few headers; more would only cost time. */
const maxSignatures = 10;

/**
 * Returns the ID of a delivery whose ID, time and body one of the secrets signed, as the relay does
 * (https://www.standardwebhooks.com). Otherwise, for any input, throws WebhookVerificationError.
 */
export function verifyStandardWebhook(options: StandardWebhookOptions): string {
  checkOptionNames(options, 'verifyStandardWebhook', optionNames);
  const { secrets } = options;
  const [id, timestamp, signature] = [options.id, options.timestamp, options.signature].map(single);
  checkSecrets(secrets);
  const body = checkRawBody(options.body);
  if (typeof id !== 'string' || id === '' || typeof signature !== 'string') {
    throw new WebhookVerificationError(
      'missing_signature',
      'The delivery has no webhook-id and webhook-signature headers, so it did not come from the relay.',
    );
  }
  const signatures = signature.split(' ').filter((part) => /^v1,[\w+/]{43}=$/.test(part));
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp) || signatures.length === 0) {
    throw new WebhookVerificationError(
      'malformed_signature',
      'The delivery has no readable webhook-timestamp and webhook-signature headers, so it did not come from the relay.',
    );
  }
  checkSignatureAge(Number(timestamp), options);
  const given = signatures
    .slice(0, maxSignatures)
    .flatMap((part) => bytesOfBase64(part.slice(3)) ?? []);
  const isSigned = secrets.some((secret) => {
    const hmac = createHmac('sha256', relayKey(secret)).update(`${id}.${timestamp}.`).update(body);
    const expected = hmac.digest();
    return given.some((one) => timingSafeEqual(one, expected));
  });
  if (!isSigned || isLossyText(body)) throw signatureMismatchError(body, secrets);
  return id;
}

/** Gateways pass the values of a header as a list. */
function single(header: Header): Header {
  return Array.isArray(header) && header.length === 1 ? header[0] : header;
}

function relayKey(secret: string): string | Uint8Array {
  const key = hmacKeyOf(secret.trim(), 'base64');
  if (key) return key;
  throw invalidArgumentError('Each secret must be a signing secret in base64, such as whsec_….');
}
