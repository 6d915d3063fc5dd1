import { TransportError } from '../errors/error-classes.ts';

/** A failure in words: the reason, the remedy, and whether a retry would fail in the same way. */
type Failure = readonly [reason: string, remedy: string, isLasting?: true];

const unreachable: Failure = ['could not be reached', 'Check the base URL and your network'];
const unknownHost: Failure = ['could not be found', 'Check the host name in the base URL'];
const proxied: Failure = [
  'could not be reached through the proxy',
  'Check the base URL and your proxy',
];
const checkPort = 'Check the protocol, host, and port in the base URL';
const notSecure: Failure = ['does not speak HTTPS', checkPort, true];
const untrusted: Failure = [
  'has a certificate that is not trusted',
  'Check the base URL. If you run the service yourself, give it a certificate that this machine trusts',
  true,
];
const fewer = 'Send fewer requests at once, or raise the limit (ulimit -n)';

/** Failures before the service can have received anything, by the code of Node or undici. */
const beforeSending: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: ['refused the connection', 'Check the base URL and that the service is running'],
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  UND_ERR_CONNECT_TIMEOUT: unreachable,
  ERR_PROXY_TUNNEL: proxied,
  UND_ERR_PRX_CONN: proxied,
  'bad port': ['has a port that fetch blocks', checkPort, true],
  EMFILE: [
    'was not contacted, because this process has too many open files and connections',
    fewer,
  ],
  ENFILE: [
    'was not contacted, because this machine has too many open files and connections',
    fewer,
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  EPROTO: notSecure,
  ERR_SSL_WRONG_VERSION_NUMBER: notSecure,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notSecure,
};

const timeouts: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'ECONNABORTED',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const broken: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_SOCKET_CLOSED',
  'UND_ERR_SOCKET',
  // undici's code for an HTTP/2 connection that ended.
  'UND_ERR_INFO',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_HEADERS_OVERFLOW',
  // undici asserts that no status is below 100.
  'ERR_ASSERTION',
  'ERR_TRAILING_JUNK_AFTER_STREAM_END',
]);

/**
 * Errors of Node's HTTP parser, of HTTP/2 and TLS below it, and of bodies that claim to be
 * compressed and are not. undici's copy of the parser names its errors, but gives them no code.
 */
const unreadable = /^(HPE|ERR_HTTP2|ERR_SSL|Z|ERR__ERROR|ZSTD_error)_|^HTTPParserError$/;

/** The two sides share no version or cipher. */
const handshake = /^ERR_SSL_.*ALERT_(PROTOCOL_VERSION|HANDSHAKE_FAILURE)$/;

/** Node's message when a connection ends within the handshake: nothing was sent on it. */
const unsecured = /before secure TLS connection/;

/**
 * For transports: the error for a failure below HTTP, or undefined for any other error. Looks for
 * the code of Node, undici or axios along the chain of causes.
 */
export function networkFailure(error: unknown, url: string): TransportError | undefined {
  const { host } = new URL(url);
  for (const link of links(error)) {
    const { code } = link;
    const failure = failureBeforeSending(link);
    if (failure) {
      const [reason, remedy, isLasting] = failure;
      return new TransportError(`${host} ${reason} (${code})`, {
        code: 'network_error',
        remedy: `${remedy}.`,
        sent: 'no',
        isRetryable: !isLasting,
        ...causedBy(error),
      });
    }
    if (timeouts.has(code)) return timeoutFailure(url, error);
    if (broken.has(code) || unreadable.test(code)) return brokenConnectionFailure(url, code, error);
  }
  return undefined;
}

function failureBeforeSending({ code, syscall, message }: Link): Failure | undefined {
  if (syscall === 'connect' || unsecured.test(message)) return beforeSending[code] ?? unreachable;
  if (handshake.test(code)) return notSecure;
  if (code.startsWith('CERT_')) return untrusted;
  if (message.startsWith('Proxy response (')) return proxied;
  const failure = beforeSending[code];
  // A route can also be lost on an open connection that had already carried the request.
  const isCut = failure === unreachable && (syscall === 'read' || syscall === 'write');
  return isCut ? undefined : failure;
}

/** For transports: the error for an attempt that took longer than allowed. */
export function timeoutFailure(url: string, error?: unknown): TransportError {
  const { host } = new URL(url);
  return new TransportError(`${host} did not send a complete response in time`, {
    code: 'timeout',
    remedy: 'Retry, or allow more time.',
    sent: 'maybe',
    ...causedBy(error),
  });
}

/** For transports: the error for a connection that ended before the response was complete. */
export function brokenConnectionFailure(
  url: string,
  detail: string,
  error: unknown,
): TransportError {
  const { host } = new URL(url);
  return new TransportError(
    `The connection to ${host} broke before the response was complete (${detail})`,
    { code: 'network_error', remedy: 'Retry.', sent: 'maybe', ...causedBy(error) },
  );
}

interface Link {
  readonly code: string;
  readonly syscall: unknown;
  readonly message: string;
}

function links(error: unknown): Link[] {
  const found: Link[] = [];
  let link = error;
  for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth += 1) {
    const failed = link as Record<string, unknown>;
    const { name, message, cause, errors } = failed;
    const { code, syscall } = ofAddresses(errors) ?? failed;
    // Fetch gives this one no code.
    const known = code ?? (message === 'bad port' ? message : name);
    if (typeof known === 'string') found.push({ code: known, syscall, message: String(message) });
    link = cause;
  }
  return found;
}

/**
 * Node tries every address of a host, then reports all failures in one error, under the code of the
 * first. Undefined if one of them came after connecting.
 */
function ofAddresses(errors: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(errors)) return undefined;
  const all = errors.map((error: unknown) => Object(error) as Record<string, unknown>);
  if (!all.every(({ syscall }) => syscall === 'connect')) return undefined;
  return { syscall: 'connect', code: [...new Set(all.map(({ code }) => code))].join(', ') };
}

/** Errors of HTTP libraries hold the request with its credentials, so keep only the message. */
function causedBy(error: unknown): { readonly cause?: Error } {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  return typeof message === 'string' ? { cause: Object.assign(new Error(message), { code }) } : {};
}

/** The error that a request rejects with. `wasConnecting`: its connection was still being made. */
export function requestFailure(error: unknown, url: string, wasConnecting: boolean): unknown {
  const known = error instanceof TransportError ? error : networkFailure(error, url);
  if (!wasConnecting || known?.sent !== 'maybe') return known ?? error;
  const { message, code } = Object(error) as NodeJS.ErrnoException;
  return networkFailure({ message, code, syscall: 'connect' }, url);
}
