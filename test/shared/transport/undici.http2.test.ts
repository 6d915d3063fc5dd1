import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { describe, expect, it } from '@jest/globals';
import { undiciTransport } from '@screen-advertising/core/undici';
import { generate } from 'selfsigned';
import { Agent } from 'undici';
import { rejection } from '../support/bench.ts';
import { listen } from '../support/loopback.ts';

describe('a service that speaks HTTP/2', () => {
  /** Sends a change to a server that offers both versions: the error, and the offered versions. */
  async function sendTo(onStream: (stream: ServerHttp2Stream) => void, dispatcher?: Agent) {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const offered: string[] = [];
    const ALPNCallback = ({ protocols }: { protocols: string[] }) => {
      offered.push(...protocols);
      return protocols.includes('h2') ? 'h2' : 'http/1.1';
    };
    const server = createSecureServer({ key, cert, ALPNCallback });
    server.on('stream', (stream) => onStream(stream.on('error', () => undefined)));
    const { port, close } = await listen(server);
    const transport = undiciTransport(dispatcher && { dispatcher });
    const request = { method: 'POST', headers: {}, body: '{}', timeoutMs: 5000 } as const;
    try {
      const url = `https://127.0.0.1:${port}/`;
      return { error: await rejection(transport.send({ ...request, url })), offered };
    } finally {
      await Promise.all([transport.close(), dispatcher?.destroy(), close()]);
    }
  }

  it('is called over HTTP/1.1, where a dead connection holds up one call only', async () => {
    // The certificate is refused after the protocols were offered.
    const { offered } = await sendTo(() => undefined);
    expect(offered).toEqual(['http/1.1']);
  });

  it("and breaks a stream on the caller's dispatcher: the request may have been sent", async () => {
    const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });
    const breakOff = (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    const { error, offered } = await sendTo(breakOff, dispatcher);
    expect(offered).toContain('h2');
    expect(error).toMatchObject({ name: 'TransportError', code: 'network_error', sent: 'maybe' });
  });
});
