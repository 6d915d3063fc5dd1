import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { networkFailure } from '@screen-advertising/core/platform';

const url = 'https://service.example/api/v1/screens?email=jane.doe%40example.com';

const withCode = (code: string, more: object = {}): Error =>
  Object.assign(new Error('words of the library'), { code, ...more });

describe('networkFailure', () => {
  const trust =
    'has a certificate that is not trusted (%). Check the base URL. If you run the service yourself, give it a certificate that this machine trusts.';
  const reach = 'could not be reached (%). Check the base URL and your network.';
  const proxy = 'could not be reached through the proxy (%). Check the base URL and your proxy.';
  const exhausted =
    'was not contacted, because this # has too many open files and connections (%). Send fewer requests at once, or raise the limit (ulimit -n).';
  const https = 'does not speak HTTPS (%). Check the protocol, host, and port in the base URL.';
  it.each([
    [
      'ECONNREFUSED',
      true,
      'refused the connection (%). Check the base URL and that the service is running.',
    ],
    ['ENOTFOUND', true, 'could not be found (%). Check the host name in the base URL.'],
    ['EHOSTUNREACH', true, reach],
    ['ERR_PROXY_TUNNEL', true, proxy],
    ['EMFILE', true, exhausted.replace('#', 'process')],
    ['ENFILE', true, exhausted.replace('#', 'machine')],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false, trust],
    ['CERT_UNTRUSTED', false, trust],
    ['EPROTO', false, https],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', false, https],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', false, https],
  ])('%s: nothing was sent, and a retry may help: %s', (code, isRetryable, words) => {
    expect(networkFailure(withCode(code), url)).toMatchObject({
      name: 'TransportError',
      code: 'network_error',
      sent: 'no',
      isRetryable,
      message: `service.example ${words.replace('%', code)}`,
    });
  });

  it('reads the code of a class of errors, as in runtimes other than Node.js', () => {
    class ClosedError extends Error {
      get code(): string {
        return 'ERR_SOCKET_CLOSED';
      }
    }
    expect(networkFailure(new ClosedError('Socket is closed'), url)).toMatchObject({
      name: 'TransportError',
      message:
        'The connection to service.example broke before the response was complete (ERR_SOCKET_CLOSED). Retry.',
    });
  });

  it.each([
    'ECONNRESET',
    'UND_ERR_SOCKET',
    'ERR_HTTP2_STREAM_ERROR',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
    'HPE_INVALID_CONSTANT',
    'Z_DATA_ERROR',
    'ERR__ERROR_FORMAT_PADDING_2',
    'ZSTD_error_prefix_unknown',
  ])('%s: it may have been sent', (code) => {
    expect(networkFailure(withCode(code), url)).toMatchObject({
      code: 'network_error',
      sent: 'maybe',
      isRetryable: true,
      message: `The connection to service.example broke before the response was complete (${code}). Retry.`,
    });
  });

  it.each(['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT'])('%s: the time was up', (code) => {
    expect(networkFailure(withCode(code), url)).toMatchObject({
      code: 'timeout',
      sent: 'maybe',
      message:
        'service.example did not send a complete response in time. Retry, or allow more time.',
    });
  });

  it.each([
    ['ETIMEDOUT', reach],
    ['ECONNRESET', reach],
    ['EMFILE', exhausted.replace('#', 'process')],
  ])('%s while connecting: nothing was sent', (code, words) => {
    const failure = networkFailure(withCode(code, { syscall: 'connect' }), url);
    const message = `service.example ${words.replace('%', code)}`;
    expect(failure).toMatchObject({ code: 'network_error', sent: 'no', message });
  });

  it('a connection that ended within the handshake: nothing was sent', () => {
    const error = new Error(
      'Client network socket disconnected before secure TLS connection was established',
    );
    expect(networkFailure(Object.assign(error, { code: 'ECONNRESET' }), url)).toMatchObject({
      sent: 'no',
      isRetryable: true,
      message:
        'service.example could not be reached (ECONNRESET). Check the base URL and your network.',
    });
  });

  it.each([
    ['EHOSTUNREACH', 'read'],
    ['ENETUNREACH', 'write'],
  ])('%s: a route lost in a %s, so the request may have been sent', (code, syscall) => {
    expect(networkFailure(withCode(code, { syscall }), url)).toMatchObject({
      sent: 'maybe',
      message: `The connection to service.example broke before the response was complete (${code}). Retry.`,
    });
  });

  it.each([
    [
      ['ETIMEDOUT', 'ENETUNREACH', 'ENETUNREACH'],
      'could not be reached (ETIMEDOUT, ENETUNREACH). Check the base URL and your network.',
    ],
    [
      ['ECONNREFUSED', 'ECONNREFUSED'],
      'refused the connection (ECONNREFUSED). Check the base URL and that the service is running.',
    ],
  ])('every address of the host failed, by %j: nothing was sent', (codes, words) => {
    const errors = codes.map((code) => withCode(code, { syscall: 'connect' }));
    const error = Object.assign(new AggregateError(errors), { code: codes[0] });
    const message = `service.example ${words}`;
    expect(networkFailure(error, url)).toMatchObject({ sent: 'no', message });
  });

  it('several failures, one of them after connecting: it may have been sent', () => {
    const errors = [withCode('ETIMEDOUT', { syscall: 'connect' }), withCode('ETIMEDOUT')];
    const error = Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' });
    expect(networkFailure(error, url)).toMatchObject({ sent: 'maybe' });
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED'])(
    '%s: keeps the message of its cause, and neither its request nor the query',
    (code) => {
      const config = { headers: { authorization: 'Bearer svc_secret' } };
      const failure = networkFailure(withCode(code, { config }), url);
      expect(failure?.cause).toMatchObject({ message: 'words of the library', code });
      expect(inspect(failure, { depth: 20 })).not.toMatch(/svc_secret|jane/);
    },
  );
});
