import { createServer } from 'node:http';
import { connect } from 'node:net';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import { deliveriesOf, deliverTo } from '../deliver/scene.ts';
import { startActor } from '../support/actor.ts';
import { type Pair, pair } from '../support/certificate.ts';
import { command } from '../support/command.ts';
import { start } from '../support/running-relay.ts';

const host = 'hooks.example';
const trusted = tls.getCACertificates('default');
const opened: Listening[] = [];
/** Of the target. */
let certificate: Pair;

beforeAll(async () => {
  const authority = await pair(['authority.example'], { isAuthority: true });
  certificate = await pair([host], { ca: authority });
  tls.setDefaultCACertificates([...trusted, authority.cert]);
});
afterAll(() => tls.setDefaultCACertificates(trusted));
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

/** A proxy that resolves each name to this machine, or refuses with a status. */
async function startProxy(refusal?: number) {
  const asked: { to: string; authorization: string | undefined }[] = [];
  const server = createServer((_request, response) => response.writeHead(500).end());
  server.on('connect', (request, socket) => {
    const to = request.url ?? '';
    asked.push({ to, authorization: request.headers['proxy-authorization'] });
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
      return;
    }
    const target = connect(Number(to.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on('error', () => target.destroy());
  });
  const listening = await listen(server);
  opened.push(listening);
  return { asked, url: `http://relay:secret@127.0.0.1:${listening.port}` };
}

interface Setting {
  readonly except?: string[];
  readonly refusal?: number;
  /** Of every name. Default: of this machine. */
  readonly address?: string;
}

/** One delivery to `target`. */
async function deliver(
  target: (port: number) => string,
  { except, refusal, address = '127.0.0.1' }: Setting = {},
) {
  const proxy = await startProxy(refusal);
  const actor = await startActor([], { tls: certificate });
  const running = await start({
    proxy: { url: proxy.url, ...(except && { except }) },
    allowTargets: ['127.0.0.1', 'allowed.example'],
    resolve: (_host, callback) => callback(null, [{ address, family: 4 }]),
  });
  const url = target(actor.port);
  await deliverTo(running, 'proxied', url);
  await running.relay.clock.advance(0);
  const delivery = (await deliveriesOf(running)).get('proxied');
  return { delivery, requests: actor.requests.length, asked: proxy.asked, port: actor.port };
}

const toHost = (port: number) => `https://${host}:${port}/`;

describe('a proxy for deliveries', () => {
  it('is asked for the name of a target, and sees nothing of the delivery', async () => {
    const { delivery, requests, asked, port } = await deliver(toHost);
    expect([delivery?.state, requests]).toEqual(['delivered', 1]);
    const authorization = `Basic ${Buffer.from('relay:secret').toString('base64')}`;
    expect(asked).toEqual([{ to: `${host}:${port}`, authorization }]);
  });

  it('that refuses a target causes a retry', async () => {
    const { delivery, requests } = await deliver(toHost, { refusal: 403 });
    expect([delivery?.state, requests]).toEqual(['pending', 0]);
    expect(delivery?.attempts[0]?.error).toContain('Proxy response (403)');
  });

  it.each([
    ['a name that the operator allows', (port: number) => `https://allowed.example:${port}/`, []],
    ['an address that the operator allows', (port: number) => `https://127.0.0.1:${port}/`, []],
    ['a host in NO_PROXY', toHost, ['other', ' .Example']],
    ['every host in NO_PROXY', toHost, ['*']],
  ])('is not asked for %s', async (_what, target, except) => {
    expect((await deliver(target, { except })).asked).toEqual([]);
  });

  it('changes no rule: a host in NO_PROXY must have a public address, and no private one passes', async () => {
    const direct = await deliver(toHost, { except: [host], address: '10.0.0.9' });
    expect([direct.delivery?.attempts[0]?.error, direct.requests]).toEqual([
      expect.stringContaining('does not resolve to a public address'),
      0,
    ]);
    const running = await start({ proxy: { url: 'http://127.0.0.1:9' } });
    for (const target_url of ['https://10.0.0.1/', 'https://[::1]/', 'http://hooks.example/']) {
      const put = { target_url, events: ['campaign.paid'] };
      expect((await running.call('PUT', '/subscriptions', put)).status).toBe(400);
    }
  });

  it('must be a URL', async () => {
    const { code, errors } = await command(['start'], { HTTPS_PROXY: 'proxy:3128' });
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining('HTTPS_PROXY must be a URL such as http://proxy.example.com:3128.'),
    ]);
  });
});

it('an entry of RELAY_ALLOW_TARGETS that is refused stops the start', async () => {
  await expect(createRelay({ allowTargets: ['127.0.0.1', '10.0.0.0/'] })).rejects.toMatchObject({
    code: 'configuration',
    message:
      'RELAY_ALLOW_TARGETS: "10.0.0.0/" needs a prefix from 8 to 32 after the slash, such as 10.0.0.0/8.',
  });
});
