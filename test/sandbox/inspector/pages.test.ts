import { describe, expect, it } from '@jest/globals';
import { events } from '@screen-advertising/core';
import { startReceiver } from '../support/receiver.ts';
import { createCoupon, inspectorPaths, openInspector } from './support.ts';

it.each(inspectorPaths)(
  'the page %s runs nothing from elsewhere, names each thing once, and has a label for every field',
  async (path) => {
    const inspector = openInspector();
    await createCoupon(inspector, { lead_email: 'lead@example.com', code: 'SPRING-25' });
    inspector.sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
    await inspector.sandbox.fire('campaign.paid');
    const answer = await inspector.get(path);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src=)/);
    expect([...html.matchAll(/(?:src|href|action)="(?!\/|#)([^"]*)"/g)]).toEqual([]);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const fields = [
      ...html.matchAll(/<(?:input(?! type="hidden")|select|textarea)[^>]* id="([^"]*)"/g),
    ];
    for (const [, id] of fields) expect(html).toContain(`<label for="${id}"`);
  },
);

describe('what the pages show', () => {
  it('the start page: how to connect, with every credential to copy', async () => {
    const { sandbox, html } = openInspector();
    const text = await html('/');
    expect(text).toContain('data-copy="http://127.0.0.1/api/v1"');
    for (const { apiKey, clientId, clientSecret, signingSecret } of sandbox.accesses) {
      for (const value of [apiKey, clientId, clientSecret, signingSecret]) {
        expect(text).toContain(`data-copy="${value}"`);
      }
    }
  });

  it('screens: pictures and prices, city by city and page by page', async () => {
    const { sandbox, html } = openInspector();
    const berlin = sandbox.screens.list().filter(({ city }) => city === 'Berlin');
    const text = await html('/inspector/screens?city=Berlin');
    for (const { id } of berlin) expect(text).toContain(`/thumbnails/${id}.svg`);
    expect(text.match(/<li class="card screen">/g)).toHaveLength(berlin.length);
    expect(await html('/inspector/screens')).toContain('Page 1 of 2');
    expect(await html('/inspector/screens?page=2')).toContain('Page 2 of 2');
    expect(await html('/inspector/screens?page=999')).toContain('Page 2 of 2');
  });

  it('screens: an unreadable place or radius is named', async () => {
    const { html } = openInspector();
    expect(await html('/inspector/screens?near=here')).toContain('Near must be a latitude');
    expect(await html('/inspector/screens?near=52.52%2C+13.4&radius_km=much')).toContain(
      'Radius in Kilometers must be a number from 0.1 to 20000, not &quot;much&quot;.',
    );
  });

  it('screens: near a place, in a circle of the radius and nearest first', async () => {
    const { sandbox, html } = openInspector();
    sandbox.screens.add({ id: 'scr_here', city: 'Berlin', latitude: 52.52, longitude: 13.405 });
    const text = await html('/inspector/screens?near=52.5200%2C+13.4050&radius_km=4');
    const [, count] = /aria-label="Screens within 4 km: (\d+)"/.exec(text) ?? [];
    expect(Number(count)).toBeGreaterThan(2);
    expect(text.match(/<li class="card screen">/g)).toHaveLength(Number(count));
    const distances = [...text.matchAll(/, ([\d.]+) km away/g)].map(([, km]) => Number(km));
    expect(distances[0]).toBe(0);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    const dots = [...text.matchAll(/<circle cx="([-\d.]+)" cy="([-\d.]+)"/g)];
    // The radius of the circle stands for 4 km, so each dot lies at its distance.
    const drawn = dots.map(([, x, y]) => (Math.hypot(Number(x), Number(y)) * 4) / 170);
    for (const [at, km] of drawn.entries()) expect(km).toBeCloseTo(distances[at] ?? -1, 2);
  });

  it('coupons: their states, and a button for those that can be redeemed', async () => {
    const inspector = openInspector();
    await createCoupon(inspector, { lead_email: 'a@example.com', code: 'GOOD' });
    await createCoupon(inspector, {
      lead_email: 'b@example.com',
      code: 'OVER',
      valid_until: '2027-02-01',
    });
    const text = await inspector.html('/inspector/coupons');
    expect(text).toMatch(/GOOD<\/code><\/td><td[^>]*><span class="badge good">active/);
    expect(text).toMatch(/OVER<\/code><\/td><td[^>]*><span class="badge bad">expired/);
    expect(text).toContain('aria-label="Redeem GOOD"');
    expect(text).not.toContain('aria-label="Redeem OVER"');
  });

  it('events: a form for each of the catalogue, with its fields', async () => {
    const text = await openInspector().html('/inspector/events');
    for (const { name, title, sample } of Object.values(events)) {
      expect(text).toContain(`name="type" value="${name}"`);
      expect(text).toContain(`aria-label="Fire ${title}"`);
      for (const field of Object.keys(sample)) expect(text).toContain(`name="data.${field}"`);
    }
  });

  it('deliveries: the attempts with status and signature, and the time of the next one', async () => {
    const { sandbox, html } = openInspector();
    sandbox.webhooks.add({ url: 'http://127.0.0.1:1/hook' });
    const [delivery] = await sandbox.fire('campaign.paid');
    const text = await html('/inspector/events');
    expect(text).toContain('http://127.0.0.1:1/hook');
    expect(text).toContain(delivery?.attempts[0]?.signature ?? 'no signature');
    expect(text).toContain('no response');
    expect(text).toMatch(/Next attempt at <time datetime="2027-03-01T09:00:01.000Z"/);
  });

  it('the name of the receiver beside its address and in its deliveries', async () => {
    const { sandbox, html } = openInspector();
    const url = 'http://127.0.0.1:1/webhook/3f6a1c2e-90ab-4cde-8f01-23456789abcd/webhook';
    sandbox.webhooks.add({ url, name: 'Welcome <coupon>' });
    await sandbox.fire('campaign.paid');
    const text = await html('/inspector/events');
    expect(text.match(/<span class="quiet">Welcome &lt;coupon&gt;<\/span>/g)).toHaveLength(2);
    expect(text).not.toContain('production URL of n8n');
  });

  it('addresses of n8n: production or test, with a short path, and all of it on hover', async () => {
    const { sandbox, html } = openInspector();
    const id = '3f6a1c2e-90ab-4cde-8f01-23456789abcd';
    for (const path of [`webhook/${id}/webhook`, `webhook-test/${id}`, 'webhook/my-path']) {
      sandbox.webhooks.add({ url: `http://127.0.0.1:1/${path}` });
    }
    await sandbox.fire('campaign.paid');
    const shown = (await html('/inspector/events')).matchAll(
      /<span class="url"(?: title="([^"]*)")?>([^<]*)<\/span>(?: <span class="quiet">([^<]*)<)?/g,
    );
    const production = [
      `http://127.0.0.1:1/webhook/${id}/webhook`,
      'http://127.0.0.1:1/webhook/3f6a1c2e…/webhook',
      'production URL of n8n',
    ];
    const test = [
      `http://127.0.0.1:1/webhook-test/${id}`,
      'http://127.0.0.1:1/webhook-test/3f6a1c2e…',
      'test URL of n8n',
    ];
    const own = [undefined, 'http://127.0.0.1:1/webhook/my-path', undefined];
    // Each in its delivery and in the list of addresses.
    const addresses = [...shown].map(([, title, text, name]) => [title, text, name]);
    expect(addresses).toHaveLength(6);
    expect(addresses.slice(0, 3)).toEqual([production, test, own]);
    expect(addresses.slice(3)).toEqual(expect.arrayContaining([production, test, own]));
  });

  it('one row an event: how many addresses ran it, and how many ignored it', async () => {
    const { sandbox, html } = openInspector();
    const [runs, ignores] = [await startReceiver(), await startReceiver()];
    ignores.answerHeaders['x-screen-advertising-ignored'] = 'Another event';
    for (const url of [runs.url, ignores.url, 'http://127.0.0.1:1/']) sandbox.webhooks.add({ url });
    await sandbox.fire('campaign.paid');
    const text = await html('/inspector/events');
    const rows = [...text.matchAll(/<summary><b>([\w.]+)<\/b> ([^<]*)/g)];
    expect(rows.map(([, event, summary]) => [event, summary?.trim()])).toEqual([
      ['campaign.paid', '1 of 3 delivered, 1 ignored, 1 pending'],
    ]);
    expect(text).toContain('Another event');
    expect(text).toContain('&quot;type&quot;: &quot;campaign.paid&quot;,\n');
  });

  it('faults: which requests they affect', async () => {
    const { sandbox, html } = openInspector();
    sandbox.faults.add({ fault: 'empty-body' });
    sandbox.faults.add({ fault: 'empty-body', method: 'GET' });
    sandbox.faults.add({ fault: 'empty-body', path: '/screens' });
    const cells = [
      ...(await html('/inspector/faults')).matchAll(/empty<\/td><td[^>]*>(.*?)<\/td>/g),
    ];
    expect(cells.map(([, cell]) => cell)).toEqual([
      'All requests',
      '<code>GET any path</code>',
      '<code>any method /screens</code>',
    ]);
  });

  it.each(['/inspector', '/inspector/'])('%s leads to the start page', async (path) => {
    const response = await openInspector().get(path);
    expect([response.status, response.headers.get('location')]).toEqual([301, '/']);
  });

  it('the journal: requests without their credentials', async () => {
    const inspector = openInspector();
    await createCoupon(inspector, { lead_email: 'lead@example.com', code: 'SPRING-25' });
    const text = await inspector.html('/inspector/journal');
    expect(text).toContain('<b>POST</b> <span class="url">/coupons</span>');
    expect(text).toContain('SPRING-25');
    expect(text).not.toContain(inspector.sandbox.accesses[0].apiKey);
  });

  it('text from partners stays text', async () => {
    const inspector = openInspector();
    const attack = '<script>alert(1)</script>"\'';
    inspector.sandbox.users.add({ user_id: attack, email: 'x@example.com' });
    inspector.sandbox.screens.add({ name: attack, city: attack });
    await createCoupon(inspector, { lead_email: 'x@example.com', code: attack });
    for (const path of [
      ...inspectorPaths,
      `/inspector/screens?city=${encodeURIComponent(attack)}`,
    ]) {
      expect(await inspector.html(path)).not.toContain('<script>');
    }
  });
});
