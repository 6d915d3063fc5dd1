import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { adminTokenOf } from '../../../packages/relay/src/run/resources.ts';
import { freshDatabase, type Running, start, subscribe } from '../support/running-relay.ts';
import {
  adminToken,
  cookieOf,
  isIn,
  listPaths,
  noticeIn,
  openLink,
  signInPath,
  Visitor,
} from './support.ts';

const minute = 60_000;
const isUsed = 'This link was already used or is older than 15 minutes. Print another.';

let plain: Running;
/** With an event and a subscription. */
let open: Running;
let event: string;
let subscription: string;

beforeAll(async () => {
  plain = await start();
  open = await start({ adminToken });
  await open.deliver({ id: 'one', type: 'campaign.paid', data: {} });
  event = (await open.call('GET', '/events')).body.data[0].id;
  subscription = await subscribe(open, 'http://127.0.0.1:9/', { name: 'Zap' });
});

it('a visitor without a session gets the sign-in page everywhere, sees nothing and does nothing', async () => {
  const { url, relay } = open;
  const stranger = new Visitor(url);
  for (const cookie of ['', `${cookieOf(url)}=made-up`, '__Host-relay=made-up']) {
    stranger.cookie = cookie;
    const own = [`/operator/events/${event}`, `/operator/subscriptions/${subscription}`];
    const asked = [
      ...[...listPaths, ...own, '/operator/nothing'].map((one) => stranger.get(one)),
      stranger.post('/operator/actions/create-token', { source: 'main', name: 'stolen' }),
      stranger.post('/operator/actions/subscriptions.change', { subscription, state: 'off' }),
    ];
    for (const { status, headers, html } of await Promise.all(asked)) {
      expect([status, headers.location, html]).toEqual([303, signInPath, '']);
    }
  }
  const { html } = await stranger.get(signInPath);
  expect(html).toContain('<label for="token">Admin token</label>');
  expect(html).not.toMatch(/campaign\.paid|Zap|\/in\/|<nav/);
  expect((await relay.tokens.list()).map(({ name }) => name)).not.toContain('stolen');
});

describe('a sign-in link', () => {
  it('signs in once, by a button: opening it does not use it up', async () => {
    const { relay, url } = plain;
    const link = await relay.signInLink(url);
    expect(link.startsWith(`${url}/operator/sign-in?link=`)).toBe(true);
    const visitor = new Visitor(url);
    for (const _ of [1, 2]) {
      const { html } = await visitor.get(link.slice(url.length));
      expect(html).toContain('This link works once and signs you in for 12 hours.');
      expect(await isIn(visitor)).toBe(false);
    }
    expect((await openLink(visitor, link)).headers.location).toBe('/operator/set-up');
    expect(await isIn(visitor)).toBe(true);
    expect((await visitor.get(link.slice(url.length))).headers.location).toBe('/');
    const second = await openLink(new Visitor(url), link);
    expect([second.status, noticeIn(second.html)]).toEqual([401, isUsed]);
  });

  it('works for one of two clients that use it at the same time', async () => {
    const { relay, url } = plain;
    const link = await relay.signInLink(url);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => openLink(new Visitor(url), link)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401, 401]);
  });

  it('expires after 15 minutes', async () => {
    const { relay, url } = plain;
    const [late, last] = [await relay.signInLink(url), await relay.signInLink(url)];
    await relay.clock.advance(15 * minute - 1);
    expect((await openLink(new Visitor(url), last)).status).toBe(303);
    await relay.clock.advance(1);
    const opened = await new Visitor(url).get(late.slice(url.length));
    expect([opened.status, noticeIn(opened.html)]).toEqual([401, isUsed]);
    expect(opened.html).not.toContain('works once');
    expect(opened.html).toContain('run relay sign-in</code> prints a sign-in link.');
    expect((await openLink(new Visitor(url), late)).status).toBe(401);
  });

  it('does not work as a session, nor a session as a link', async () => {
    const { relay, url } = plain;
    const visitor = new Visitor(url);
    const link = await relay.signInLink(url);
    visitor.cookie = `${cookieOf(url)}=${new URL(link).searchParams.get('link')}`;
    expect(await isIn(visitor)).toBe(false);
    await openLink(visitor, link);
    const session = visitor.cookie.split('=')[1] ?? '';
    const { status } = await new Visitor(url).post(signInPath, { link: session });
    expect([status, await isIn(visitor)]).toEqual([401, true]);
  });
});

describe('the admin token', () => {
  it('signs in, and no other token does', async () => {
    const { url } = open;
    const visitor = new Visitor(url);
    for (const token of ['', 'wrong', adminToken.slice(0, -1), `${adminToken}x`]) {
      const { status, html } = await visitor.post(signInPath, { token });
      expect([status, noticeIn(html)]).toEqual([401, 'Wrong admin token.']);
      expect(html).not.toContain(adminToken);
    }
    const { headers } = await visitor.post(signInPath, { token: adminToken });
    expect(headers.location).toBe('/');
    expect(await isIn(visitor)).toBe(true);
  });

  it('is not asked for if none is set', async () => {
    const { url } = plain;
    const visitor = new Visitor(url);
    const { html } = await visitor.get(signInPath);
    expect(html).not.toContain('<label');
    expect(html).toContain(
      "On the relay's machine, <code>npx -y pnpm@12 run relay sign-in</code> prints a sign-in link. Run it with the relay's environment variables, such as RELAY_DATA_DIR, PORT, and PUBLIC_URL.",
    );
    expect((await visitor.post(signInPath, { token: 'undefined' })).status).toBe(401);
  });

  it('must be long', async () => {
    await expect(start({ adminToken: 'secret' })).rejects.toThrow(
      "RELAY_ADMIN_TOKEN must have at least 24 characters, because it opens the operator's page. Generate one with `openssl rand -base64 32`.",
    );
  });

  it.each(['', '\n', 'x'.repeat(23)])(
    'must be long in the data folder, too: %j stops the start',
    async (content) => {
      const dataDir = mkdtempSync(path.join(tmpdir(), 'admin-'));
      const file = path.join(dataDir, 'admin.token');
      writeFileSync(file, content);
      await expect(
        createRelay({ dataDir, databaseUrl: await freshDatabase() }),
      ).rejects.toMatchObject({
        code: 'configuration',
        message: `The token in ${file} must have at least 24 characters, because it opens the operator's page. Generate one with \`openssl rand -base64 32\`, or delete the file, and the next start writes a new one.`,
      });
    },
  );

  it('is generated and kept in the data folder, readable only by its owner', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'admin-'));
    const token = await adminTokenOf({ dataDir });
    expect(token).toMatch(/^adm_[\w-]{43}$/);
    const file = path.join(dataDir, 'admin.token');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
    expect(await adminTokenOf({ dataDir })).toBe(token);
    const elsewhere = { dataDir, databaseUrl: 'postgres://db', secretKey: 'key' };
    expect(await adminTokenOf(elsewhere)).toBeUndefined();
  });
});

describe('a session', () => {
  it('has an ID that no browser can choose, and a new one after each sign-in', async () => {
    const { url } = open;
    const visitor = new Visitor(url);
    visitor.cookie = `${cookieOf(url)}=chosen-by-somebody-else`;
    await visitor.get(signInPath);
    expect(visitor.cookie).toBe(`${cookieOf(url)}=chosen-by-somebody-else`);
    await visitor.signIn();
    const first = visitor.cookie;
    expect(first).toMatch(/^relay_session_\d+=[\w-]{43}$/);
    const somebody = new Visitor(url);
    somebody.cookie = `${cookieOf(url)}=chosen-by-somebody-else`;
    expect(await isIn(somebody)).toBe(false);
    await visitor.signIn();
    expect(visitor.cookie).not.toBe(first);
    somebody.cookie = first;
    expect([await isIn(visitor), await isIn(somebody)]).toEqual([true, false]);
  });

  it('is in a cookie that scripts cannot read and other sites cannot send', async () => {
    const setCookieOf = async (url: string) => {
      const { headers } = await new Visitor(url).post(signInPath, { token: adminToken });
      return String(headers['set-cookie'])
        .replace(/=[\w-]{43};/, '=ID;')
        .replace(/_\d+=/, '_PORT=');
    };
    expect(await setCookieOf(open.url)).toBe(
      'relay_session_PORT=ID; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict',
    );
    const secure = await start({ adminToken, publicUrl: 'https://relay.example.com' });
    expect(await setCookieOf(secure.url)).toBe(
      '__Host-relay=ID; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Strict',
    );
  });

  it('at one relay of a host is not replaced by that at another', async () => {
    const [one, other] = [await new Visitor(open.url).signIn(), new Visitor(plain.url)];
    await openLink(other, await plain.relay.signInLink(plain.url));
    // A browser sends both cookies to both ports, unless they have the same name.
    const jar = new Map([one, other].map(({ cookie }) => cookie.split('=') as [string, string]));
    one.cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    expect(await isIn(one)).toBe(true);
  });

  it('ends with the sign-out, even if a copy of the cookie exists', async () => {
    const { url } = open;
    const visitor = await new Visitor(url).signIn();
    const thief = new Visitor(url);
    thief.cookie = visitor.cookie;
    const { status, headers } = await visitor.post('/operator/sign-out');
    expect([status, headers.location]).toEqual([303, signInPath]);
    expect(String(headers['set-cookie'])).toMatch(/^relay_session_\d+=; Max-Age=0; Path=\//);
    expect(await isIn(thief)).toBe(false);
  });

  it('expires after 12 hours', async () => {
    const { relay, url } = open;
    const visitor = await new Visitor(url).signIn();
    expect((await visitor.get(signInPath)).headers.location).toBe('/');
    await relay.clock.advance(12 * 60 * minute - 1);
    expect(await isIn(visitor)).toBe(true);
    await relay.clock.advance(1);
    expect(await isIn(visitor)).toBe(false);
  });
});
