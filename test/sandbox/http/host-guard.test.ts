import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { isHostName } from '../../../packages/sandbox/src/http/host-guard.ts';
import { problemDetail, type Reply, type Running, start } from '../support/running-sandbox.ts';

/** fetch cannot set the host. */
function ask(
  { url, full }: Running,
  host: string,
  [method, path, body]: readonly [method: string, path: string, body?: object],
): Promise<Reply> {
  const headers = {
    host,
    authorization: `Bearer ${full.apiKey}`,
    'content-type': 'application/json',
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      resolve({
        status: answer.statusCode ?? 0,
        headers: new Headers({ 'content-type': answer.headers['content-type'] ?? '' }),
        text: Buffer.concat(chunks).toString(),
      });
    });
    outgoing.on('error', reject).end(body && JSON.stringify(body));
  });
}

const screens = ['GET', '/api/v1/screens?limit=1'] as const;
const coupon = { discount_type: 'percent', discount_value: 5, lead_email: 'lead@example.com' };

describe('a foreign name that leads here', () => {
  it.each<[string, string, object?]>([
    ['GET', '/api/v1/screens?limit=1'],
    ['POST', '/api/v1/coupons', coupon],
    ['POST', '/api/v1/oauth/token', { client_id: 'sandbox-full', client_secret: 'wrong' }],
    ['GET', '/thumbnails/scr_berlin_0001.svg'],
    ['GET', '/landing?utm_source=full'],
    ['GET', '/'],
    ['GET', '/inspector/inspector.js'],
    ['GET', '/_sandbox/accesses'],
    ['GET', '/nothing'],
  ])('gets a 403 from %s %s', async (...asked) => {
    const service = await start();
    const reply = await ask(service, 'rebound.example.com:8787', asked);
    expect(problemDetail(reply, 403)).toBe(
      'The sandbox does not respond to the name rebound.example.com. If the name is yours, start it with --allow-host rebound.example.com (allowHosts in code).',
    );
    expect(service.sandbox.coupons.list()).toEqual([]);
  });

  it.each(['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Host'])(
    'cannot administer through a proxy that sends its own name, which %s reveals',
    async (header) => {
      const service = await start();
      const headers = { [header]: '203.0.113.7' };
      for (const path of ['/', '/_sandbox/accesses']) {
        const response = await fetch(`${service.url}${path}`, { headers });
        expect([path, response.status]).toEqual([path, 403]);
        expect(await response.json()).toMatchObject({
          detail: 'You can administer the sandbox only directly, not through a proxy.',
        });
      }
      expect((await service.call('GET', '/screens?limit=1', { headers })).status).toBe(200);
    },
  );

  it.each(['localhost.example.com', '127.0.0.1.nip.io', 'notlocalhost.com'])(
    'is compared as a whole: %s',
    async (host) => expect((await ask(await start(), host, screens)).status).toBe(403),
  );

  it('appears in the journal', async () => {
    const service = await start();
    await ask(service, 'rebound.example.com', screens);
    expect(service.sandbox.journal.list()).toMatchObject([{ status: 403, access: null }]);
  });

  it('does not matter without a socket', async () => {
    const { sandbox, full } = await start();
    const headers = { authorization: `Bearer ${full.apiKey}` };
    const response = await sandbox.fetch('http://rebound.example.com/api/v1/screens', { headers });
    expect(response.status).toBe(200);
  });
});

describe('a name that gets a response', () => {
  it.each([
    '127.0.0.1:8787',
    'localhost',
    'LocalHost:8787',
    'sandbox.localhost',
    '[::1]:8787',
    '192.168.1.20:8787',
    'host.docker.internal:8787',
    'host.containers.internal',
    'sandbox:8787',
    'laptop.local',
    'laptop.local.',
  ])('because it is private: %s', async (host) => {
    expect((await ask(await start(), host, screens)).status).toBe(200);
  });

  it('because it is allowed, whatever its case, and no other', async () => {
    const service = await start({ allowHosts: ['Demo.Example.com'] });
    expect((await ask(service, 'demo.example.com', screens)).status).toBe(200);
    expect((await ask(service, 'DEMO.example.com:443', screens)).status).toBe(200);
    expect((await ask(service, 'more.demo.example.com', screens)).status).toBe(403);
  });

  it('still has no access to the admin API', async () => {
    const service = await start({ allowHosts: ['demo.example.com'] });
    for (const host of ['demo.example.com', 'host.docker.internal', '192.168.1.20']) {
      for (const path of ['/_sandbox/accesses', '/', '/inspector/coupons']) {
        expect(problemDetail(await ask(service, host, ['GET', path]), 403)).toBe(
          'You can administer the sandbox only under the name localhost or 127.0.0.1.',
        );
      }
    }
  });

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
