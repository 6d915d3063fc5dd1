import { TransportError } from '../errors/transport-error.ts';

type Failure = readonly [reason: string, remedy: string];

const unreachable: Failure = ['could not be reached', 'Check the base URL and your network'];
const unknownHost: Failure = ['is not known', 'Check the host name in the base URL'];
const untrusted: Failure = [
  'has a certificate that is not trusted',
  'Check the base URL; a service of your own needs a certificate that this machine trusts',
];

/** Failures before the service can have received anything, by the code of Node or undici. */
const beforeSending: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: ['refused the connection', 'Check the base URL and that the service is running'],
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  UND_ERR_CONNECT_TIMEOUT: unreachable,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  EPROTO: untrusted,
};

const timeouts: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const broken: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_CONSTANT',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/**
 * Words for a failure below HTTP, for transports: gives undefined for an error that is none.
 * Looks for the code of Node or undici along the chain of causes.
 */
export function networkFailure(error: unknown, url: string): TransportError | undefined {
  const { host } = new URL(url);
  for (const code of codes(error)) {
    const failure = beforeSending[code];
    if (failure) {
      const [reason, remedy] = failure;
      const words = `${host} ${reason} (${code}). ${remedy}.`;
      return new TransportError(words, { code: 'network_error', sent: 'no', cause: error });
    }
    if (timeouts.has(code)) return timeoutFailure(url, error);
    if (broken.has(code) || code.startsWith('HPE_')) {
      const words = `The connection to ${host} broke before the answer was complete (${code}). Try again.`;
      return new TransportError(words, { code: 'network_error', sent: 'maybe', cause: error });
    }
  }
  return undefined;
}

/** For transports: the attempt took longer than allowed. */
export function timeoutFailure(url: string, cause?: unknown): TransportError {
  const { host } = new URL(url);
  return new TransportError(
    `${host} did not answer completely in time. Try again later, or allow more time.`,
    { code: 'timeout', sent: 'maybe', cause },
  );
}

function codes(error: unknown): string[] {
  const found: string[] = [];
  let link = error;
  for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth += 1) {
    const { code, cause } = link as { code?: unknown; cause?: unknown };
    if (typeof code === 'string') found.push(code);
    link = cause;
  }
  return found;
}
