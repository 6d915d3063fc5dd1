import { createSecureServer } from 'node:http2';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen } from '../../shared/support/loopback.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { type Play, startActor } from '../support/actor.ts';
import { type Pair, pair } from '../support/certificate.ts';
import { type Options, start } from '../support/running-relay.ts';
import { deliveriesOf, deliverTo, firstRetryMs, schedule, secondsOf } from './scene.ts';

const host = 'hooks.example';
const trusted = tls.getCACertificates('default');

/** The response of a server that expects http. */
const plain: Play = (socket) => {
  socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
};

let authority: Pair;

beforeAll(async () => {
  authority = await pair(['authority.example'], { isAuthority: true });
  tls.setDefaultCACertificates([...trusted, authority.cert]);
});
afterAll(() => tls.setDefaultCACertificates(trusted));

describe('a subscriber on https', () => {
  const toThisMachine: Options = {
    resolve: (_host, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  };

  async function deliver(server: Pair | undefined) {
    const actor = await startActor([], server ? { tls: server } : { onConnect: [plain, plain] });
    const running = await start(toThisMachine);
    await deliverTo(running, 'secure', `https://${host}:${actor.port}/hook`);
    await running.relay.clock.advance(firstRetryMs);
    const delivery = (await deliveriesOf(running)).get('secure');
    return { delivery, requests: actor.requests.length };
  }

  it('with a good certificate receives it', async () => {
    const { delivery, requests } = await deliver(await pair([host], { ca: authority }));
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
    expect(requests).toBe(1);
  });

  it.each<[name: string, make: () => Promise<Pair | undefined>, error: RegExp]>([
    ['signed by itself', () => pair([host]), /\(DEPTH_ZERO_SELF_SIGNED_CERT\)$/],
    [
      'of another name',
      () => pair(['elsewhere.example'], { ca: authority }),
      /\(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
    ],
    ['that is none, since it speaks http', async () => undefined, /\(E\w+SSL\w+\)$/],
  ])('with a certificate %s receives nothing, and gets a retry', async (_, make, error) => {
    const { delivery, requests } = await deliver(await make());
    expect(requests).toBe(0);
    expect(secondsOf(delivery)).toEqual(schedule.slice(0, 2));
    expect(delivery).toMatchObject({
      state: 'pending',
      attempts: Array(2).fill({ status: null, error: expect.stringMatching(error) }),
    });
  });

  it('that grants no HTTP/2 stream gets its delivery over HTTP/1.1', async () => {
    const settings = { maxConcurrentStreams: 0 };
    const certificate = await pair([host], { ca: authority });
    const server = createSecureServer({ ...certificate, settings, allowHTTP1: true });
    server.on('request', (request, response) => {
      request.resume();
      response.writeHead(200).end();
    });
    const { port, close } = await listen(server);
    closeAfterTest(close);
    const running = await start({ ...toThisMachine, deliveryTimeoutMs: 2_000 });
    await deliverTo(running, 'streams', `https://${host}:${port}/hook`);
    await running.relay.clock.advance(1);
    const delivery = (await deliveriesOf(running)).get('streams');
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
  });
});
