import { beforeAll, describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { firstRetryMs } from '../sender/scene.ts';
import { onDatabase } from '../support/database.ts';
import { startAt } from '../support/running-relay.ts';
import { deliveryOf, type Lively, listPaths, openLivelyPage, openPage } from './support.ts';

/** Shared by the tests that change nothing. */
let lively: Lively;

beforeAll(async () => {
  lively = await openLivelyPage({ publicUrl: 'https://relay.example.com' });
});

describe('every page', () => {
  it("runs only the relay's scripts, loads nothing from elsewhere, and names each thing once", async () => {
    const { visitor, delivered, subscription } = lively;
    const own = [`/operator/events/${delivered}`, `/operator/subscriptions/${subscription}`];
    expect(listPaths.length).toBeGreaterThan(3);
    for (const path of [...listPaths, ...own]) {
      const { status, headers, html } = await visitor.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers['content-type']).toMatch(/^text\/html/);
      expect(headers['content-security-policy']).toMatch(/script-src 'self';/);
      const scripts = [...html.matchAll(/<script.*?<\/script>/gs)].map(([script]) => script);
      expect(scripts).toEqual([
        '<script src="/operator/idiomorph.js" defer></script>',
        '<script src="/operator/script.js" defer></script>',
      ]);
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/);
      expect([...html.matchAll(/(?:src|href|action)="(?!\/|#)([^"]*)"/g)]).toEqual([]);
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(ids).toEqual([...new Set(ids)]);
      for (const [, id] of html.matchAll(
        /<(?:input(?! type="hidden")|select)[^>]* id="([^"]*)"/g,
      )) {
        expect(html).toContain(`<label for="${id}"`);
      }
    }
  });

  it('leads to every other one, and marks itself, or Set up for a part of it', async () => {
    const { visitor } = lively;
    const pages = listPaths.filter((one) => !one.includes('?'));
    expect(pages.length).toBeGreaterThan(5);
    const parts = ['/operator/sources', '/operator/tokens'];
    const current = (path: string) => (parts.includes(path) ? '/operator/set-up' : path);
    for (const path of pages) {
      const { html } = await visitor.get(path);
      const links = [...html.matchAll(/<li><a href="([^"?]*)" (?:aria-current="page")?>/g)];
      expect(links.map(([, link]) => link)).toEqual(pages.filter((one) => !parts.includes(one)));
      expect(html.match(/<a href="([^"]*)" aria-current="page"/)?.[1]).toBe(current(path));
      if (current(path) !== '/operator/set-up') continue;
      for (const other of ['/operator/set-up', ...parts].filter((one) => one !== path)) {
        expect(html).toContain(`<a href="${other}">`);
      }
    }
  });

  it('says what is missing while there is nothing yet', async () => {
    const { visitor, relay } = await openPage();
    await relay.tokens.revoke('main', (await relay.tokens.list())[0]?.name ?? '');
    for (const [path, text] of [
      ['/', 'No events yet.'],
      ['/operator/events', 'No events.'],
      ['/operator/deliveries', 'No deliveries.'],
      ['/operator/deliveries?state=pending', 'No pending deliveries.'],
      ['/operator/deliveries?state=dead', 'No dead deliveries.'],
      ['/operator/subscriptions', 'No subscriptions.'],
    ] as const) {
      expect((await visitor.get(path)).html).toContain(text);
    }
  });

  it('is not found under any other address', async () => {
    const { visitor } = lively;
    const none = '0'.repeat(32);
    for (const path of [
      '/operator/nothing',
      '/operator/events/evt_1',
      `/operator/events/evt_${none}`,
      '/operator/subscriptions/sub_1',
      `/operator/subscriptions/sub_${none}`,
    ]) {
      const { status, html } = await visitor.get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(html).toContain('It may have been pruned or deleted.');
    }
  });
});

describe('a page that fails', () => {
  it('says so, and shows no more than the log needs', async () => {
    const reported: unknown[] = [];
    const opened = await openPage({ onError: (error) => reported.push(error) });
    const { visitor, relay, databaseUrl } = opened;
    // What runs at the start needs the tables.
    await relay.clock.advance(0);
    await onDatabase(databaseUrl, (client) => client.query('DROP TABLE attempt, sign_in_token'));
    const { status, headers, html } = await visitor.get('/operator/deliveries');
    expect([status, headers['x-frame-options']]).toEqual([500, 'DENY']);
    expect(html).toContain('<p>Internal error in the relay. See its log for the cause.</p>');
    expect(html).not.toContain('sign_in_token');
    expect(reported).toHaveLength(1);
  });
});

describe('what the pages show', () => {
  it('the overview: what needs attention, the addresses to register, the newest events', async () => {
    const { visitor, delivered } = lively;
    const { html } = await visitor.get('/');
    const tiles = [...html.matchAll(/<a [^>]*><b>([^<]*)<\/b> ([A-Za-z ]+)</g)];
    expect(tiles.map(([, count, label]) => [label, count])).toEqual([
      ['Dead deliveries', '1'],
      ['Pending deliveries', '1'],
      ['Subscriptions off', '0'],
    ]);
    expect(html).toContain('https://relay.example.com/in/main</code>');
    expect(html).toContain(`href="/operator/events/${delivered}">campaign.paid</a>`);
    expect(html).toContain('1 delivered');
  });

  it('an event: its payload as it was sent, and its deliveries with their attempts', async () => {
    const { visitor, delivered } = lively;
    const { html } = await visitor.get(`/operator/events/${delivered}`);
    expect(html).toContain('&quot;amount_cents&quot;: 4200');
    expect(html).toMatch(/<td[^>]*>1<\/td>.*2027-03-01 09:00:00.*>200<\/span>/s);
  });

  it('a payload that line breaks would change stays as it is', async () => {
    const { visitor, deliver, call } = await openPage();
    await deliver('{"id":"1","type":"campaign.paid","data":{"n":12345678901234567890}}');
    const [{ id }] = (await call('GET', '/events')).body.data;
    const { html } = await visitor.get(`/operator/events/${id}`);
    expect(html).toContain('{&quot;n&quot;:12345678901234567890}');
  });

  it('a subscription that a copy of its program doubles: where the other one is, and what to do', async () => {
    const { visitor, call } = await openPage();
    const [original, copy] = [await startReceiver(), await startReceiver()];
    const put = async (body: object) =>
      (await call('PUT', '/subscriptions', { events: ['campaign.paid'], ...body })).body.id;
    const first = await put({ target_url: original.url });
    const second = await put({ target_url: copy.url, replaces: first });
    for (const [id, other, target] of [
      [first, second, copy.url],
      [second, first, original.url],
    ]) {
      const { html } = await visitor.get(`/operator/subscriptions/${id}`);
      expect(html).toContain('The same connector also receives its events at');
      expect(html).toContain(
        `<a href="/operator/subscriptions/${other}"><code class="wraps">${target}`,
      );
      expect(html).toContain('create another token and paste its connector key into the copy');
    }
    const list = async () => (await visitor.get('/operator/subscriptions')).html;
    expect((await list()).match(/also at another address/g)).toHaveLength(2);
    await call('DELETE', `/subscriptions/${second}`);
    expect(await list()).not.toContain('also at another address');
  });

  it('deliveries: dead with the reason, waiting with the next attempt', async () => {
    const { visitor, dead } = lively;
    const deadList = (await visitor.get('/operator/deliveries?state=dead')).html;
    expect(deadList.match(/<details id="dlv_/g)).toHaveLength(1);
    expect(deadList).toContain(`id="${deliveryOf(dead)}"`);
    expect(deadList).toContain('The target responded with 410 (Gone).');
    const waiting = (await visitor.get('/operator/deliveries?state=pending')).html;
    expect(waiting.match(/<details id="dlv_/g)).toHaveLength(1);
    const next = new Date(Date.parse(startAt) + 2_000 + firstRetryMs).toISOString();
    expect(waiting).toContain(`>${next.slice(0, 19).replace('T', ' ')}</time>`);
    expect(
      (await visitor.get('/operator/deliveries')).html.match(/<details id="dlv_/g),
    ).toHaveLength(3);
  });

  it('shows for each subscription what share was delivered, and how fast it responds', async () => {
    const { visitor, subscription } = lively;
    for (const path of ['/', '/operator/subscriptions']) {
      const { html } = await visitor.get(path);
      expect(html).toMatch(/<td[^>]*>33 % of 3<\/td><td[^>]*>\d+ ms<\/td>/);
    }
    const { html } = await visitor.get(`/operator/subscriptions/${subscription}`);
    expect(html).toMatch(/<dt>Delivered of last 100<\/dt><dd>33 % of 3<\/dd>/);
  });

  it('has a button that copies each address and each key', async () => {
    const { visitor, subscription, delivered } = lively;
    const address = 'https://relay.example.com/in/main';
    for (const path of ['/', '/operator/sources']) {
      expect((await visitor.get(path)).html).toContain(`data-copy="${address}"`);
    }
    const own = (await visitor.get(`/operator/subscriptions/${subscription}`)).html;
    expect(own).toContain(`data-copy="${subscription}" aria-label="Copy the ID"`);
    const event = (await visitor.get(`/operator/events/${delivered}`)).html;
    expect(event).toContain(`data-copy="${delivered}" aria-label="Copy the relay ID"`);
    expect(event).toContain('data-copy="one" aria-label="Copy the payload ID"');
    const { html } = await visitor.post('/operator/actions/create-token', {
      source: 'main',
      name: 'partner',
    });
    expect(html).toMatch(/data-copy="rly_[\w-]+\.whsec_\S+" aria-label="Copy the connector key"/);
  });

  it('says in every list what an event is about: its code and email addresses, else an ID', async () => {
    const { visitor, relay, call, deliver } = await openPage();
    const target_url = (await startReceiver()).url;
    await call('PUT', '/subscriptions', { target_url, events: ['*'] });
    const lead_email = 'anna@example.com';
    await deliver({ id: 'a', type: 'coupon.redeemed', data: { code: 'ANNA-1', lead_email } });
    await deliver({ id: 'b', type: 'campaign.paid', data: { amount_cents: 1, user_id: 'usr_7' } });
    await deliver({ id: 'evt-of-the-service', type: 'new.kind', data: { code: 5, email: null } });
    await relay.clock.advance(0);
    for (const path of ['/', '/operator/events', '/operator/deliveries']) {
      const { html } = await visitor.get(path);
      for (const about of [`ANNA-1, ${lead_email}`, 'usr_7', 'evt-of-the-service'])
        expect(html).toContain(about);
    }
    expect((await visitor.get('/operator/events')).html).not.toMatch(/<code>evt_/);
  });

  it('lists by source, type and subscription, and remembers what was chosen', async () => {
    const { visitor, relay, call, subscription } = await openLivelyPage();
    const url = (await call('GET', `/subscriptions/${subscription}`)).body.target_url;
    await relay.sources.add('other', 'another-secret');
    const rows = async (path: string) =>
      (await visitor.get(path)).html.match(/<details id="dlv_|href="\/operator\/events\/evt_/g)
        ?.length ?? 0;
    expect(await rows('/operator/events?type=campaign.paid')).toBe(2);
    expect(await rows('/operator/events?source=other')).toBe(0);
    expect(await rows('/operator/events?source=main')).toBe(3);
    expect(await rows(`/operator/deliveries?subscription=${subscription}`)).toBe(6);
    expect(await rows(`/operator/deliveries?state=dead&subscription=${subscription}`)).toBe(2);
    for (const named of ['zap', 'ZAP', encodeURIComponent(url)]) {
      expect(await rows(`/operator/deliveries?subscription=${named}`)).toBe(6);
    }
    expect(await rows('/operator/deliveries?subscription=zap&source=other')).toBe(0);
    for (const state of ['delivered', 'pending', 'dead']) {
      expect(await rows(`/operator/deliveries?state=${state}&subscription=zap`)).toBe(2);
      expect(await rows(`/operator/deliveries?state=${state}`)).toBe(2);
    }
    expect(await rows('/operator/deliveries?subscription=sub_1')).toBe(0);
    expect((await visitor.get('/operator/deliveries?state=dead')).html).toContain(
      '<option value="Zap"></option>',
    );
    const { html } = await visitor.get('/operator/events?source=other&type=a');
    expect(html).toContain('<option value="other" selected>');
    expect(html).toContain('value="a" placeholder="campaign.paid"');
    expect(html).toContain('<option value="coupon.redeemed"></option>');
  });

  it('subscriptions: their state, and why one is off', async () => {
    const { visitor, relay, subscription } = await openLivelyPage();
    const path = `/operator/subscriptions/${subscription}`;
    const page = (await visitor.get(path)).html;
    expect(page).toMatch(/<dt>State<\/dt><dd><span [^>]*>failing<\/span> since/);
    expect(page).not.toContain('>active<');
    const summaries = [...page.matchAll(/<summary[^>]*>([^<]*)<\/summary>/g)];
    expect(summaries.map(([, label]) => label)).toEqual(['Change', 'Deliver again', 'Switch off']);
    const [token] = await relay.tokens.list();
    await relay.tokens.revoke('main', token?.name ?? '');
    const { html } = await visitor.get('/operator/subscriptions?state=off');
    expect(html).toContain('Its token was revoked');
    expect((await visitor.get(path)).html).toContain(
      'Its token was revoked: connect again with another connector key.',
    );
  });

  it('leaf from page to page, with every row once', async () => {
    const { visitor, deliver, relay } = await openPage();
    for (let number = 0; number < 60; number += 1) {
      await relay.clock.advance(1);
      await deliver({ id: String(number), type: `kind-${number}` });
    }
    const seen: string[] = [];
    let path: string | undefined = '/operator/events';
    while (path !== undefined) {
      const { html }: { html: string } = await visitor.get(path);
      seen.push(...[...html.matchAll(/>(kind-\d+)<\/a>/g)].map(([, type]) => type ?? ''));
      path = html.match(/<a href="([^"]*)">Older<\/a>/)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => `kind-${59 - index}`));
  });
});
