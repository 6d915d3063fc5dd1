import { beforeAll, describe, expect, it } from '@jest/globals';
import { startAt } from '../support/running-relay.ts';
import { deliveryOf, type Lively, listPaths, openLivelyPage } from './support.ts';

const firstRetryMs = 5_000;

/** Shared by the tests that change nothing. */
let lively: Lively;

beforeAll(async () => {
  lively = await openLivelyPage({ publicUrl: 'https://relay.example.com' });
});

const period = ['from: Arrived from (UTC)', 'to: Arrived before (UTC)'];

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

  it.each([
    ['/operator/events', ['search: Search events', 'type: Type', ...period]],
    ['/operator/deliveries', ['state: State', 'subscription: Subscription', ...period]],
    ['/operator/subscriptions', ['state: State']],
    ['/operator/tokens', ['source: Source', 'name: Name', 'rights: Rights']],
    [
      '/operator/set-up',
      ['name: Name', 'secret: Signing secret from the reply', 'name: Name', 'rights: Rights'],
    ],
  ])('labels its fields: %s', async (path, labels) => {
    const { html } = await lively.visitor.get(path);
    const shown = [...html.matchAll(/<label for="([^"]*)"[^>]*>([^<]*)</g)];
    const names = shown.map(([, id, label]) => {
      const [field = ''] = new RegExp(`<(?:input|select)[^>]* id="${id}"[^>]*>`).exec(html) ?? [];
      return `${/ name="([^"]*)"/.exec(field)?.[1]}: ${label}`;
    });
    expect(names).toEqual(labels);
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

describe('what the pages show', () => {
  it('the overview: what needs attention, the addresses to register, the newest events', async () => {
    const { visitor, delivered } = lively;
    const { html } = await visitor.get('/');
    const tiles = [...html.matchAll(/<a [^>]*><b>([^<]*)<\/b> ([A-Za-z ]+)</g)];
    expect(tiles.map(([, count, label]) => [label, count])).toEqual([
      ['Dead deliveries', '1'],
      ['Waiting for a first attempt', '0'],
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

  it('events and deliveries: those of events that arrived in a period', async () => {
    const { visitor, subscription } = lively;
    const count = async (path: string, period: string) =>
      (await visitor.get(`/operator/${path}&${period}`)).html.match(
        /<details id="dlv_|<tr role="row" id="evt_/g,
      )?.length ?? 0;
    for (const path of ['events?', 'deliveries?', `deliveries?subscription=${subscription}`]) {
      const shown = async (period: string) => [path, period, await count(path, period)];
      for (const [period, expected] of [
        ['', 3],
        ['from=2027-03-01T09:00:01', 2],
        ['to=2027-03-01T09:00:01', 1],
        ['from=2027-03-01T09:00:01&to=2027-03-01T09:00:02', 1],
        ['from=2027-03-01T09:01', 0],
        ['from=yesterday', 0],
      ] as const) {
        expect(await shown(period)).toEqual([path, period, expected]);
      }
    }
    expect(await count('deliveries?state=pending', 'from=2027-03-01T09:00:02')).toBe(1);
    expect(await count('deliveries?state=pending', 'to=2027-03-01T09:00:02')).toBe(0);
    const { html } = await visitor.get('/operator/events?from=2027-03-01T09:00');
    expect(html).toContain('name="from" type="datetime-local" value="2027-03-01T09:00"');
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
});
