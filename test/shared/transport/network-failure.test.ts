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
  const refused = 'refused the connection (%). Check the base URL and that the service is running.';
  const connecting = { syscall: 'connect' };
  const inHandshake =
    'Client network socket disconnected before secure TLS connection was established';
  const ofAddresses = (...codes: string[]) => ({
    errors: codes.map((code) => withCode(code, connecting)),
  });

  it.each<[code: string, more: object, isRetryable: boolean, words: string]>([
    ['ECONNREFUSED', {}, true, refused],
    ['ENOTFOUND', {}, true, 'could not be found (%). Check the host name in the base URL.'],
    ['EHOSTUNREACH', {}, true, reach],
    ['ERR_PROXY_TUNNEL', {}, true, proxy],
    ['EMFILE', {}, true, exhausted.replace('#', 'process')],
    ['ENFILE', {}, true, exhausted.replace('#', 'machine')],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', {}, false, trust],
    ['CERT_UNTRUSTED', {}, false, trust],
    ['EPROTO', {}, false, https],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', {}, false, https],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', {}, false, https],
    ['ETIMEDOUT', connecting, true, reach],
    ['ECONNRESET', connecting, true, reach],
    ['EMFILE', connecting, true, exhausted.replace('#', 'process')],
    ['ECONNRESET', { message: inHandshake }, true, reach],
    ['ECONNREFUSED', ofAddresses('ECONNREFUSED', 'ECONNREFUSED'), true, refused],
    [
      'ETIMEDOUT',
      ofAddresses('ETIMEDOUT', 'ENETUNREACH', 'ENETUNREACH'),
      true,
      reach.replace('%', 'ETIMEDOUT, ENETUNREACH'),
    ],
  ])('%s with %j: nothing was sent', (code, more, isRetryable, words) => {
    expect(networkFailure(withCode(code, more), url)).toMatchObject({
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

  it.each<[code: string, more: object]>([
    ['ECONNRESET', {}],
    ['UND_ERR_SOCKET', {}],
    ['ERR_HTTP2_STREAM_ERROR', {}],
    ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', {}],
    ['HPE_INVALID_CONSTANT', {}],
    ['Z_DATA_ERROR', {}],
    ['ERR__ERROR_FORMAT_PADDING_2', {}],
    ['ZSTD_error_prefix_unknown', {}],
    // The route was lost after the connection was made.
    ['EHOSTUNREACH', { syscall: 'read' }],
    ['ENETUNREACH', { syscall: 'write' }],
  ])('%s: it may have been sent', (code, more) => {
    expect(networkFailure(withCode(code, more), url)).toMatchObject({
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
