import { Agent } from 'node:https';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { nodeTransport, type Transport } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { undiciTransport } from '@screen-advertising/core/undici';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { rawServer } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';

const refusal = (status: string) => (socket: Socket) =>
  void socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);

const answers: readonly [string, (socket: Socket) => void][] = [
  ['wants credentials', refusal('407 Proxy Authentication Required')],
  ['cannot reach the service', refusal('502 Bad Gateway')],
  ['closes the connection', (socket) => void socket.end()],
];

const transports: readonly [string, string, (proxy: string) => Transport][] = [
  [
    'nodeTransport',
    'ERR_PROXY_TUNNEL',
    (proxy) => nodeTransport({ agent: new Agent({ proxyEnv: { HTTPS_PROXY: proxy } }) }),
  ],
  [
    'undiciTransport',
    'UND_ERR_(ABORTED|PRX_CONN)',
    (proxy) => undiciTransport({ dispatcher: new ProxyAgent(proxy) }),
  ],
  [
    "fetchTransport with undici's fetch",
    'UND_ERR_(ABORTED|PRX_CONN)',
    (proxy) => {
      const dispatcher = new ProxyAgent(proxy);
      const fetch = (url: string, init: RequestInit) =>
        undiciFetch(url, { ...(init as object), dispatcher }) as unknown as Promise<Response>;
      return fetchTransport({ fetch });
    },
  ],
];

describe.each(transports)('%s through a proxy', (_name, code, make) => {
  it.each(answers)('that %s: nothing was sent', async (_what, answer) => {
    const proxy = await rawServer(answer);
    const transport = make(`http://user:pass_of_the_proxy@127.0.0.1:${proxy.port}`);
    const url = 'https://service.example/api/v1/screens';
    const sent = transport.send({ method: 'POST', url, headers: {}, timeoutMs: 10_000 });
    const error = await rejection(sent);
    expect(error).toMatchObject({
      code: 'network_error',
      sent: 'no',
      isRetryable: true,
      message: expect.stringMatching(
        `^service\\.example could not be reached through the proxy \\(${code}\\)\\. Check the base URL and your proxy\\.$`,
      ),
    });
    expect(inspect(error, { depth: 20 })).not.toContain('pass_of_the_proxy');
    await proxy.close();
  });
});
