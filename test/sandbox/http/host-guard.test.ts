import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { type Dispatcher, request } from 'undici';
import { guardAdmin, isHostName } from '../../../packages/sandbox/src/http/guards.ts';
import { problemDetail, type Reply, type Running, start } from '../support/running-sandbox.ts';

/** fetch cannot set the host, or the headers that browsers add. */
async function ask(
  { url, full }: Running,
  given: Record<string, string>,
  [method, path, body]: readonly [method: Dispatcher.HttpMethod, path: string, body?: object],
): Promise<Reply> {
  const authorization = `Bearer ${full.apiKey}`;
  const response = await request(`${url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...given },
    ...(body && { body: JSON.stringify(body) }),
  });
  const type = String(response.headers['content-type']);
  const headers = new Headers({ 'content-type': type });
  return { status: response.statusCode, headers, text: await response.body.text() };
}

const screens = ['GET', '/api/v1/screens?limit=1'] as const;
const journal = ['GET', '/_sandbox/journal'] as const;
const coupon = { discount_type: 'percent', discount_value: 5, lead_email: 'lead@example.com' };
const onlyLocal = 'You can administer the sandbox only under the name localhost or 127.0.0.1.';

describe('a foreign name that leads here', () => {
  it.each<[Dispatcher.HttpMethod, string, object?]>([
    ['GET', '/api/v1/screens?limit=1'],
    ['POST', '/api/v1/coupons', coupon],
    ['POST', '/api/v1/oauth/token', { client_id: 'sandbox-full', client_secret: 'wrong' }],
    ['GET', '/thumbnails/scr_berlin_0001.svg'],
    ['GET', '/'],
    ['GET', '/_sandbox/accesses'],
    ['GET', '/nothing'],
  ])('gets a 403 from %s %s, and uses up no fault', async (...asked) => {
    const service = await start();
    service.sandbox.faults.add({ fault: 'empty-body', times: 1 });
    const reply = await ask(service, { host: 'rebound.example.com:8787' }, asked);
    expect(problemDetail(reply, 403)).toBe(
      'The sandbox does not respond to the name rebound.example.com. If the name is yours, start it with --allow-host rebound.example.com (allowHosts in code).',
    );
    expect(service.sandbox.coupons.list()).toEqual([]);
    expect(service.sandbox.journal.list()).toEqual([]);
    expect(service.sandbox.faults.list()).toMatchObject([{ triggered: 0 }]);
  });

  it('does not matter without a socket', async () => {
    const { sandbox, full } = await start();
    const headers = { authorization: `Bearer ${full.apiKey}` };
    const response = await sandbox.fetch('http://rebound.example.com/api/v1/screens', { headers });
    expect(response.status).toBe(200);
  });
});

describe('a name', () => {
  it.each([
    ['127.0.0.1:8787', 200],
    ['LocalHost:8787', 200],
    ['sandbox.localhost', 200],
    ['[::1]:8787', 200],
    ['192.168.1.20:8787', 200],
    ['host.docker.internal:8787', 200],
    ['host.containers.internal', 200],
    ['sandbox:8787', 200],
    ['laptop.local.', 200],
    ['DEMO.example.com:443', 200],
    ['more.demo.example.com', 403],
    ['localhost.example.com', 403],
    ['127.0.0.1.nip.io', 403],
    ['notlocalhost.com', 403],
    ['laptop.local.example.com', 403],
  ])(
    '%s gets %d: private names get a response, and those that are allowed',
    async (host, status) => {
      const service = await start({ allowHosts: ['Demo.Example.com'] });
      expect((await ask(service, { host }, screens)).status).toBe(status);
    },
  );

  it.each(['https://demo.example.com', 'demo.example.com:443', 'demo.example.com/api', ''])(
    'must be a name: %j cannot be allowed',
    (name) => {
      expect(isHostName(name)).toBe(false);
      expect(() => createSandbox({ allowHosts: [name] })).toThrow(
        'Invalid options for createSandbox: allowHosts.0: must be a host name such as sandbox.example.com.',
      );
    },
  );
});

describe('the admin API', () => {
  const ownPages = 'You can administer the sandbox only from its own pages.';
  const proxied = 'You can administer the sandbox only directly, not through a proxy.';

  it.each<[string, Record<string, string>, string?]>([
    ['a program', {}],
    ['its own page', { origin: 'OWN', 'sec-fetch-site': 'same-origin' }],
    ['who types the address', { 'sec-fetch-site': 'none' }],
    ['the name localhost', { host: 'localhost:8787' }],
    ['a page of another site', { origin: 'https://example.com' }, ownPages],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, ownPages],
    ['a page that hides its origin', { origin: 'null' }, ownPages],
    ['a link on another site', { 'sec-fetch-site': 'cross-site' }, ownPages],
    ['a name that is allowed', { host: 'demo.example.com' }, onlyLocal],
    ['a container', { host: 'host.docker.internal' }, onlyLocal],
    ...['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Host'].map(
      (header): [string, Record<string, string>, string] => [
        `a proxy that says ${header}`,
        { [header]: '203.0.113.7' },
        proxied,
      ],
    ),
  ])('for %s', async (_who, given, ...[denied]) => {
    const service = await start({ allowHosts: ['demo.example.com'] });
    const headers = given.origin === 'OWN' ? { ...given, origin: service.url } : given;
    const reply = await ask(service, headers, journal);
    if (denied) expect(problemDetail(reply, 403)).toBe(denied);
    expect(reply.status).toBe(denied ? 403 : 200);
    if (denied === onlyLocal) {
      const page = await ask(service, headers, ['GET', '/inspector/coupons']);
      expect(problemDetail(page, 403)).toBe(onlyLocal);
    }
  });

  /** A test can open connections only from this machine, so the remote address is simulated. */
  const callFrom =
    (remoteAddress: string, hostname: string, localAddress?: string, isOpen = false) =>
    () => {
      const incoming = new IncomingMessage(
        Object.defineProperty(new Socket(), 'localAddress', { value: localAddress }),
      );
      const exchange = {
        method: 'GET',
        url: new URL(`http://${hostname}:8787/_sandbox`),
        headers: new Headers(),
        body: '',
        remoteAddress,
        socket: { incoming, outgoing: new ServerResponse(incoming) },
      };
      guardAdmin(exchange, isOpen);
    };

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.8.9.10', '127.0.0.1'],
    ['::1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    // This machine, under another address that it has.
    ['192.168.1.5', '192.168.1.5', '192.168.1.5'],
    ['::ffff:192.168.1.5', '192.168.1.5', '::ffff:192.168.1.5'],
    ['2001:db8::5', '[2001:db8::5]', '2001:db8::5'],
    ['192.168.1.5', 'localhost', '192.168.1.5'],
  ])('responds to %s under %s', (...[from, name, own]) => {
    expect(callFrom(from ?? '', name ?? '', own)).not.toThrow();
  });

  it.each(['192.168.1.20', '10.127.0.1', '::ffff:10.0.0.1', '2001:db8::1', ''])(
    'does not respond to %s',
    (address) => {
      const refused = 'You can administer the sandbox only from this machine.';
      expect(callFrom(address, '127.0.0.1')).toThrow(refused);
      expect(callFrom(address, '127.0.0.1', '192.168.1.5')).toThrow(refused);
      expect(callFrom(address, '127.0.0.1', '192.168.1.5', true)).not.toThrow();
      expect(callFrom(address, 'demo.example.com', '192.168.1.5', true)).toThrow(onlyLocal);
    },
  );

  it.each(['localhost:9000', '127.0.0.1:32768'])(
    'is at %s, behind a published port',
    async (host) => {
      const service = await start();
      const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      expect((await ask(service, own, ['GET', '/'])).status).toBe(200);
      expect((await ask(service, own, ['POST', '/_sandbox/clock/freeze'])).status).toBe(200);
    },
  );

  it.each(['demo.example.com', 'host.docker.internal', '203.0.113.5'])(
    'is not at %s: a tunnel ends here, too',
    (name) => expect(callFrom('127.0.0.1', name, '127.0.0.1')).toThrow(onlyLocal),
  );
});
